import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { listFinders } from '#web/finders/api.ts'
import { FindersLine } from '#web/finders/finders-line.tsx'
import { listMerges } from '#web/history/api.ts'
import { undoConfirmation, useUndoMerge } from '#web/history/use-undo-merge.ts'
import { formatDay } from '#web/lib/dates.ts'
import { linkedKindOf, listLinks } from '#web/links/api.ts'
import { LinkedRecords } from '#web/links/linked-records.tsx'
import { getOpinions } from '#web/opinions/api.ts'
import { RecordOpinions } from '#web/opinions/record-opinions.tsx'
import { getPipeline } from '#web/pipeline/api.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { useCommand } from '#web/ui/keys/commands.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import classes from './record-page.module.css'
import type { PartProps } from './record-part.tsx'
import { RecordPart } from './record-part.tsx'
import { AsideSkeleton } from './record-skeleton.tsx'

const AddLinked = lazyPart('The form could not be loaded.', async () => (await import('./add-linked.tsx')).AddLinked)

/** What belongs to the record beside its texts. All of it appears together. */
export function RecordAside(props: PartProps) {
  const { kind, record } = props
  const isLinked = linkedKindOf(kind) !== undefined
  const links = useInfiniteQuery({ ...listLinks({ kind, id: record.id }), enabled: isLinked })
  const calls = [
    ...(isLinked ? [links] : []),
    useQuery(listFinders(record.id)),
    useQuery(listMerges(record.id)),
    useQuery(getOpinions(record.id)),
    useQuery(getPipeline(record.id)),
  ]
  // A part whose call has failed asks again when it is shown: it must not go for that.
  return calls.some(({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0) ? (
    <AsideSkeleton />
  ) : (
    <Aside {...props} />
  )
}

function Aside({ kind, record, account }: PartProps) {
  const linkedKind = linkedKindOf(kind)
  return (
    <>
      <RecordPart title="Opinions">
        <RecordOpinions judged={{ kind, id: record.id, name: record.name }} account={account} />
      </RecordPart>
      <RecordPart title="Found by">
        <FindersLine kind={kind} id={record.id} expected={record.finders} />
        {!record.can.edit && (
          <ChangeActs>
            <p className={classes.quiet}>Fellows who have met or noted this {kind.name} can correct what is here.</p>
          </ChangeActs>
        )}
      </RecordPart>
      {linkedKind && (
        <RecordPart title={linkedKind.plural}>
          <LinkedRecords kind={kind} linkedKind={linkedKind} record={record} Add={AddLinked} />
        </RecordPart>
      )}
      <MergedRecords kind={kind} record={record} />
    </>
  )
}

/** What was merged into a record, newest first, with the undo of the newest. Absent without merges. */
function MergedRecords({ kind, record }: Pick<PartProps, 'kind' | 'record'>) {
  const { data: merges = [], isError, refetch } = useQuery(listMerges(record.id))
  const undo = useUndoMerge(kind)
  const part = useRef<HTMLElement>(null)
  const askAndUndo = async (id: string) => {
    if (!(await confirm(undoConfirmation))) return
    undo.mutate(id)
    part.current?.focus()
  }
  const newest = merges.find(({ can }) => can.undo)
  useCommand(newest && `Undo the merge of ${newest.other.name}`, newest && (() => void askAndUndo(newest.id)))
  if (merges.length === 0 && !isError) return null
  return (
    <RecordPart ref={part} title="Merged into this record">
      {isError && (
        <div role="alert">
          <p className={classes.quiet}>The merges could not be loaded.</p>
          <RetryButton retry={refetch} />
        </div>
      )}
      <ul className={classes.list}>
        {merges.map(({ id, other, by, at, can }) => (
          <li key={id} className={classes.item}>
            <div className={classes.what}>
              <bdi className={classes.itemName}>{other.name}</bdi>
              <p className={classes.quiet}>
                by <bdi>{by.name}</bdi> · <time dateTime={at}>{formatDay(at)}</time>
              </p>
            </div>
            {can.undo && (
              <Button variant="default" size="xs" disabled={undo.isPending} onClick={() => askAndUndo(id)}>
                Undo
                <span className="visually-hidden"> the merge of {other.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </RecordPart>
  )
}
