import { Anchor, Button, Paper } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import type { BulkUndone } from '#contract/bulk.ts'
import type { Change } from '#contract/changes.ts'
import { undoDismissal } from '#web/duplicates/api.ts'
import { useUndoMerge } from '#web/history/use-undo-merge.ts'
import { revertImport } from '#web/import/api.ts'
import { kinds } from '#web/kinds.ts'
import { formatAgo, formatMoment } from '#web/lib/dates.ts'
import { importPath } from '#web/paths.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { refetchEverything, restoreDeleted, undoBulk } from './api.ts'
import classes from './changes.module.css'

/** What was done, by whom and when, with its undo, or the reason why there is none. */
export function ChangeItem({ change }: { change: Change }) {
  const place = useRef<HTMLDivElement>(null)
  // The button that has the focus goes.
  const undo = useUndoChange(change, () => place.current?.focus())
  const { by, at, can, undoneAt } = change
  return (
    <Paper ref={place} tabIndex={-1} withBorder className={classes.root} data-act={change.act}>
      <div className={classes.text}>
        <p className={classes.sentence}>
          <bdi className={classes.name}>{by.name}</bdi> <What change={change} />
        </p>
        <p className={classes.meta}>
          <time dateTime={at} title={formatMoment(at)}>
            {formatAgo(at)}
          </time>
          {undoneAt && (
            <>
              {' · '}
              {undoneWords[change.act]}{' '}
              <time dateTime={undoneAt} title={formatMoment(undoneAt)}>
                {formatAgo(undoneAt)}
              </time>
            </>
          )}
          {can.whyNotUndo && <> · {can.whyNotUndo}</>}
        </p>
      </div>
      {can.undo && (
        <Button variant="default" disabled={undo.isPending} onClick={undo.start}>
          {change.act === 'import' ? 'Revert' : 'Undo'}
          <span className="visually-hidden"> {subjectOf(change)}</span>
        </Button>
      )}
    </Paper>
  )
}

const undoneWords: Record<Change['act'], string> = {
  merge: 'Undone',
  dismissal: 'Undone',
  import: 'Reverted',
  bulk: 'Undone',
  deletion: 'Restored',
}

const kindOf = ({ what }: Change) => kinds.find(({ name }) => name === what)

const recordsIn = (count: number) => `${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`

/** The rest of many records, of which the first are named. */
const andMore = (named: number, count: number) =>
  count > named ? ` and ${(count - named).toLocaleString('en')} more` : ''

const subjectOf = ({ act, what, records, count }: Change): string => {
  const names = records.map(({ name }) => name).join(' and ')
  if (act === 'merge') return `the merge of ${names}`
  if (act === 'deletion') return `the deletion of ${names}`
  if (act === 'bulk') return `the change of ${names ? `${names}${andMore(records.length, count)}` : recordsIn(count)}`
  return act === 'dismissal' ? `the mark on ${names}` : `the import of ${what}`
}

/** `merged Ada O. into Ada`. */
function What({ change }: { change: Change }): ReactNode {
  // A record that is merged away has no page.
  // Nor has a deleted one.
  const isLink = (place: number) =>
    (place === 0 && change.act !== 'deletion') || change.act === 'dismissal' || change.undoneAt !== undefined
  const [one, other] = change.records.map(({ id, name }, place) => (
    <Name key={id} kind={isLink(place) ? kindOf(change) : undefined} record={{ id, name }} />
  ))
  switch (change.act) {
    case 'merge':
      if (!one || !other) return <>merged two {kindOf(change)?.path}</>
      return (
        <>
          merged {other} into {one}
        </>
      )
    case 'dismissal':
      return (
        <>
          marked {one} and {other} as not the same
        </>
      )
    case 'deletion':
      return <>deleted {one}</>
    case 'bulk':
      return (
        <>
          gave{' '}
          {one ? (
            <>
              {one}
              {other && (change.count > 2 ? ', ' : ' and ')}
              {other}
              {andMore(change.records.length, change.count)}
            </>
          ) : (
            recordsIn(change.count)
          )}{' '}
          <bdi>{change.what}</bdi>
        </>
      )
    case 'import':
      return (
        <>
          imported{' '}
          <Anchor component={Link} to={importPath(change.id)} inherit>
            <bdi>{change.what}</bdi>
          </Anchor>{' '}
          · {change.count.toLocaleString('en')} {change.counted === 'notes' ? 'note' : 'record'}
          {change.count !== 1 && 's'}
        </>
      )
  }
}

type NameProps = { kind: RecordKind | undefined; record: { id: string; name: string } }

const Name = ({ kind, record }: NameProps) => {
  if (!kind) return <bdi className={classes.name}>{record.name}</bdi>
  return <RecordLink kind={kind} record={record} isPlain={false} />
}

/** The undo of a change. `onUndone` is called once the server has undone it. */
function useUndoChange({ id, act, what, records }: Change, onUndone: () => void) {
  const client = useQueryClient()
  const kind = kinds.find(({ name }) => name === what) ?? (kinds[0] as RecordKind)
  const merge = useUndoMerge(kind)
  const dismissal = useMutation(undoDismissal(kind))
  const restoring = useMutation(restoreDeleted)
  const bulk = useMutation(undoBulk)
  const importing = useMutation(revertImport({ id }))
  const refetch = { onSettled: () => refetchEverything(client) }

  const start = async () => {
    const [one, other] = records
    if (act === 'merge') return merge.mutate(id, { ...refetch, onSuccess: onUndone })
    if (act === 'deletion') {
      const onSuccess = () => {
        toasts.success(`${one?.name} is back`)
        onUndone()
      }
      return restoring.mutate(id, { ...refetch, onSuccess })
    }
    if (act === 'bulk') {
      const onSuccess = ({ restored, kept }: BulkUndone) => {
        const inAll = (count: number) => `${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`
        const stays = new Set(kept.map((one) => one.id)).size
        toasts.success(
          `${inAll(restored)} restored${stays > 0 ? `. Of ${inAll(stays)}, what has changed since was kept` : ''}`,
        )
        onUndone()
      }
      return bulk.mutate(id, { ...refetch, onSuccess })
    }
    if (act === 'import') {
      if (await confirm(sure)) importing.mutate(undefined, { ...refetch, onSuccess: onUndone })
      return
    }
    if (!one || !other) return
    const onSuccess = () => {
      toasts.success(`${one.name} and ${other.name} are no longer marked as not the same`)
      onUndone()
    }
    dismissal.mutate([one, other], { ...refetch, onSuccess })
  }
  return { start, isPending: [merge, dismissal, importing, restoring, bulk].some(({ isPending }) => isPending) }
}

const sure = {
  title: 'Revert this import?',
  text: 'This deletes the records that it added and restores those that it updated. Records that were edited since are kept.',
  confirm: 'Revert',
  cancel: 'Cancel',
}
