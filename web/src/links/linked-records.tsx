import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { later } from '#web/ui/states/later.tsx'
import { linkedKindOf, listLinks, listSuggestedLinks } from './api.ts'
import { type LinkRecordProps, useLinkDraft } from './link-record-props.ts'
import { LinkedRecordItem } from './linked-record-item.tsx'
import classes from './linked-records.module.css'
import { SuggestedLinkItem } from './suggested-link-item.tsx'

type LinkedRecordsProps = { kind: RecordKind; record: RecordRow }

/**
 * The records of the other kind that are linked to one, with their roles. Suggestions are below, so that they move no button,
 * and are awaited, so that the panel appears in one step.
 */
export function LinkedRecords({ kind, record }: LinkedRecordsProps) {
  const own = { kind, id: record.id, name: record.name }
  const linkedKind = linkedKindOf(kind)
  const list = useInfiniteQuery(listLinks(own))
  const { data: suggested, isPending: isSuggesting } = useQuery(listSuggestedLinks(own))
  const links = isSuggesting ? undefined : list.data?.pages.flatMap(({ rows }) => rows)
  const panel = useRef<HTMLDivElement>(null)
  // The button that had the focus goes.
  const takeFocus = () => panel.current?.focus({ preventScroll: true })
  return (
    <div ref={panel} tabIndex={-1} className={classes.root}>
      {(list.isPending || isSuggesting) && (
        <p role="status" className={classes.quiet}>
          Loading…
        </p>
      )}
      {list.isError && !list.data && (
        <div role="alert">
          <p className={classes.quiet}>The {linkedKind.path} could not be loaded.</p>
          <RetryButton retry={list.refetch} />
        </div>
      )}
      {links?.length === 0 && <p className={classes.quiet}>No {linkedKind.path} linked</p>}
      {links && links.length > 0 && (
        <ul className={classes.list}>
          {links.map((link) => (
            <LinkedRecordItem key={link.id} own={own} linkedKind={linkedKind} link={link} onDelete={takeFocus} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" size="xs" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          More {linkedKind.path}
        </Button>
      )}
      {links && <LinkRecord own={own} linkedKind={linkedKind} linkedIds={links.map(({ id }) => id)} />}
      {links && suggested && suggested.length > 0 && (
        <>
          <p className={classes.quiet}>Suggested</p>
          <ul className={classes.list} aria-label={`Suggested ${linkedKind.path}`}>
            {suggested.map((suggestion) => (
              <SuggestedLinkItem key={suggestion.id} {...{ own, linkedKind, suggestion }} onLinked={takeFocus} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const LinkForm = later('The form could not be loaded.', async () => (await import('./link-form.tsx')).LinkForm)

/** A button that opens the form for a link to a record of the other kind. */
function LinkRecord(props: LinkRecordProps) {
  const draft = useLinkDraft(props.own, props.linkedKind)
  const [isOpen, setOpen] = useState(false)
  const [hasClosed, setClosed] = useState(false)
  // What is typed after the button is for the form.
  useEffect(() => whenIdle(LinkForm.preload), [])
  const end = () => {
    draft.discard()
    setOpen(false)
    setClosed(true)
  }
  const button = (
    <Button
      ref={hasClosed && !isOpen ? focusWhenShown : null}
      variant="default"
      size="xs"
      className={classes.add ?? ''}
      leftSection={<IconPlus size={14} stroke={1.5} />}
      onClick={() => setOpen(true)}
    >
      Link a {props.linkedKind.name}
    </Button>
  )
  const isShown = isOpen || draft.isTyped
  return isShown ? <LinkForm {...props} draft={draft} takesFocus={isOpen} onEnd={end} fallback={button} /> : button
}
