import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FindersLine } from '#web/finders/finders-line.tsx'
import { delay } from '#web/lib/delay.ts'
import { DialogList } from '#web/records/dialog-list.tsx'
import { confirm } from '#web/ui/confirm.ts'
import type { DialogAboveProps } from '#web/ui/dialog-above.tsx'
import { SheetDialog } from '#web/ui/sheet-dialog.tsx'
import { type HistorySubject, historyList } from './api.ts'
import { HistoryItem } from './history-item.tsx'
import { undoableMerge } from './history-words.ts'
import { useUndoMerge } from './use-undo-merge.ts'

/** The history of one record. */
export const HistoryDialog = ({ subject, ...dialog }: DialogAboveProps<HistorySubject>) => {
  const list = useInfiniteQuery(historyList(subject))
  const pages = list.data?.pages
  const undo = useUndoMerge(subject.kind)
  const region = useRef<HTMLElement>(null)
  const [isAsking, setAsking] = useState(false)
  const askAndUndo = async (mergeId: string) => {
    setAsking(true)
    const isSure = await confirm(sure)
    // Waits until the Escape that closed the question has been handled. It would also close this dialog.
    await delay(0)
    setAsking(false)
    if (!isSure) return
    undo.mutate(mergeId)
    region.current?.focus()
  }
  const entries = pages?.flatMap(({ rows }) => rows)
  const undoable = entries && undoableMerge(entries, subject.id)
  const isGone = pages?.[0]?.isGone ?? false
  return (
    <SheetDialog
      title={subject.name}
      status="History, newest first"
      closeLabel="Close history"
      closeOnEscape={!isAsking}
      {...dialog}
    >
      <FindersLine kind={subject.kind} id={subject.id} />
      <DialogList
        ref={region}
        list={list}
        label="History"
        loading="Loading the history"
        failed="The history could not be loaded."
        older="Older history"
        nothing={isGone ? gone : nothingYet}
      >
        {entries?.map((entry) => (
          <HistoryItem
            key={entry.id}
            entry={entry}
            of={subject}
            onUndo={entry === undoable ? () => askAndUndo(entry.merge?.id ?? '') : undefined}
            isBusy={undo.isPending}
          />
        ))}
      </DialogList>
    </SheetDialog>
  )
}

const sure = {
  title: 'Undo this merge?',
  text: 'The records will be separate again, as before the merge. Later additions and changes stay on this record.',
  confirm: 'Undo merge',
  cancel: 'Cancel',
}

const nothingYet = { title: 'No history yet', text: 'Changes to this record will appear here.' }
const gone = { title: 'This record has been deleted', text: 'There is nothing more to see here.' }
