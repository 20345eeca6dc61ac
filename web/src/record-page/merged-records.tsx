import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { listMerges } from '#web/history/api.ts'
import { undoConfirmation, useUndoMerge } from '#web/history/use-undo-merge.ts'
import { formatDay } from '#web/lib/dates.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import type { PartProps } from './part-props.ts'
import classes from './record-page.module.css'
import { RecordPart } from './record-part.tsx'

/** What was merged into a record, newest first, with the undo of the newest. Absent without merges. */
export function MergedRecords({ kind, record }: Pick<PartProps, 'kind' | 'record'>) {
  const { data: merges = [], isError, refetch } = useQuery(listMerges(record.id))
  const undo = useUndoMerge(kind)
  const part = useRef<HTMLElement>(null)
  if (merges.length === 0 && !isError) return null
  const askAndUndo = async (id: string) => {
    if (!(await confirm(undoConfirmation))) return
    undo.mutate(id)
    part.current?.focus()
  }
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
