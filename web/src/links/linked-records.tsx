import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { ROLE_MAX } from '#contract/limits.ts'
import type { LinkReason, SuggestedLink } from '#contract/link.ts'
import { capital } from '#contract/plain-text.ts'
import { drafts } from '#web/lib/drafts.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { useRights } from '#web/session/use-rights.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { focusWhenLost, focusWhenShown } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { listLinks, listSuggestedLinks, putLink } from './api.ts'
import { type AddLinked, addDraftOf, type LinkRecordProps, useLinkDraft } from './link-record-props.ts'
import { LinkedRecordItem } from './linked-record-item.tsx'
import classes from './linked-records.module.css'

type LinkedRecordsProps = { kind: RecordKind; linkedKind: RecordKind; record: RecordRow; Add: AddLinked }

/**
 * The records of the other kind that are linked to one, with their roles. Suggestions are below, so that they move no button,
 * and are awaited, so that the panel appears in one step.
 */
export function LinkedRecords({ kind, linkedKind, record, Add }: LinkedRecordsProps) {
  const own = { kind, id: record.id, name: record.name }
  const list = useInfiniteQuery(listLinks(own))
  const { data: suggested, isPending: isSuggesting } = useQuery(listSuggestedLinks(own))
  const links = isSuggesting ? undefined : list.data?.pages.flatMap(({ rows }) => rows)
  const mayChange = useRights()('change')
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
      {links && mayChange && <LinkRecord {...{ own, linkedKind, Add, panel }} linkedIds={links.map(({ id }) => id)} />}
      {links && mayChange && suggested && suggested.length > 0 && (
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

const LinkForm = lazyPart('The form could not be loaded.', async () => (await import('./link-form.tsx')).LinkForm)

type LinkFormProps = LinkRecordProps & { Add: AddLinked; panel: RefObject<HTMLDivElement | null> }

/** A button that opens the form for a link to a record of the other kind, and the dialog that adds one. */
function LinkRecord({ Add, panel, ...props }: LinkFormProps) {
  const { own, linkedKind } = props
  const account = useOwner()
  const draft = useLinkDraft(own, linkedKind)
  // What was typed into the dialog is in it again when the page is opened.
  const [adding, setAdding] = useState(() => {
    const hasDraft = drafts.read({ account, form: addDraftOf(own, linkedKind).form }) !== null
    return hasDraft ? { name: '', isOpen: true } : undefined
  })
  const [isOpen, setOpen] = useState(adding !== undefined)
  const [hasClosed, setClosed] = useState(false)
  const { mutateAsync: link } = useMutation(putLink(own))
  // What is typed after the button is for the form.
  useEffect(() => whenIdle(LinkForm.preload), [])
  const end = () => {
    draft.discard()
    setOpen(false)
    setClosed(true)
  }
  // Only once the dialog has gone is the focus lost.
  const hasDialog = adding !== undefined
  useEffect(() => {
    if (!hasDialog) return
    return () => focusWhenLost(panel.current?.querySelector<HTMLElement>('[role=combobox]') ?? null)
  }, [hasDialog, panel])
  const closeDialog = () => setAdding((shown) => shown && { ...shown, isOpen: false })
  const linkAdded = ({ id }: { id: string }) => {
    const { role } = draft.values
    closeDialog()
    // A failure has its toast. The search then finds the record.
    void link({ id, ...(!tooLong('Role', role, ROLE_MAX) && { role }) }).then(end, () => {})
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
      Link a {linkedKind.name}
    </Button>
  )
  const isShown = isOpen || draft.isTyped
  return (
    <>
      {isShown ? (
        <LinkForm
          {...props}
          draft={draft}
          takesFocus={isOpen}
          onAdd={(name) => setAdding({ name, isOpen: true })}
          onEnd={end}
          fallback={button}
        />
      ) : (
        button
      )}
      {adding && (
        <Add
          {...{ own, linkedKind, ...adding }}
          onAdded={linkAdded}
          onClose={closeDialog}
          onClosed={() => setAdding(undefined)}
          onCloseFailed={() => setAdding(undefined)}
        />
      )}
    </>
  )
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
