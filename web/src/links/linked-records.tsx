import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { LinkReason, SuggestedLink } from '#contract/link.ts'
import { capital } from '#contract/plain-text.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { later } from '#web/ui/states/later.tsx'
import { linkedKindOf, listLinks, listSuggestedLinks, putLink } from './api.ts'
import { type LinkRecordProps, useLinkDraft } from './link-record-props.ts'
import { LinkedRecordItem } from './linked-record-item.tsx'
import classes from './linked-records.module.css'

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

const REASONS: Record<LinkReason, string> = {
  same_company: 'same company name',
  similar_company: 'similar company name',
  email_domain: 'same email domain',
}

type SuggestedLinkItemProps = {
  own: { kind: RecordKind; id: string }
  linkedKind: RecordKind
  suggestion: SuggestedLink
  onLinked: () => void
}

/** A record that may be linked, why, and the button that links it in the role that is shown. */
function SuggestedLinkItem({ own, linkedKind, suggestion, onLinked }: SuggestedLinkItemProps) {
  const { id, name, title, company, facts, role, reasons } = suggestion
  const { mutateAsync: link, isPending } = useMutation(putLink(own))
  const about = facts ?? [title, company].filter(Boolean).join(' · ')
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <RecordLink kind={linkedKind} record={suggestion} />
        {about !== '' && (
          <p className={classes.quiet}>
            <bdi>{about}</bdi>
          </p>
        )}
        <p className={classes.quiet}>
          {capital(reasons.map((reason) => REASONS[reason]).join(' · '))}
          {role !== '' && (
            <>
              {' · role: '}
              <bdi>{role}</bdi>
            </>
          )}
        </p>
      </div>
      <Button
        variant="default"
        size="compact-xs"
        className={classes.link ?? ''}
        disabled={isPending}
        // A callback of `mutate` would not run, because this item is gone by then. A failure has its toast.
        onClick={() => link({ id, role }).then(onLinked, () => {})}
      >
        Link
        <span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  )
}
