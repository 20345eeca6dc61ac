import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { delay } from '#web/lib/delay.ts'
import { DialogList } from '#web/records/list/dialog-list.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { type HistorySubject, historyList, listMerges } from './api.ts'
import { HistoryItem } from './history-item.tsx'
import type { PutBack } from './put-back.ts'
import { undoConfirmation, useUndoMerge } from './use-undo-merge.ts'

type HistoryListProps = {
  subject: HistorySubject
  loadsOnScroll?: boolean
  /** Offers to restore the value before a change. */
  putBack?: PutBack | undefined
  /** Called around a question. Escape then answers that question, and closes nothing else. */
  onAsking?: (isAsking: boolean) => void
}

/** The history of one record, newest first. */
export const HistoryList = ({ subject, loadsOnScroll = true, putBack, onAsking = () => {} }: HistoryListProps) => {
  const list = useInfiniteQuery(historyList(subject))
  const pages = list.data?.pages
  const undo = useUndoMerge(subject.kind)
  const region = useRef<HTMLElement>(null)
  const askAndUndo = async (mergeId: string) => {
    onAsking(true)
    const isSure = await confirm(undoConfirmation)
    // Waits until the Escape that closed the question has been handled. It would also close a dialog below.
    await delay(0)
    onAsking(false)
    if (!isSure) return
    undo.mutate(mergeId)
    region.current?.focus()
  }
  const entries = pages?.flatMap(({ rows }) => rows)
  const hasMerges = entries?.some(({ action }) => action === 'merge') ?? false
  const { data: merges } = useQuery({ ...listMerges(subject.id), enabled: hasMerges })
  const undoable = merges?.find(({ can }) => can.undo)?.id
  const isGone = pages?.[0]?.isGone ?? false
  return (
    <DialogList
      ref={region}
      list={list}
      label="History"
      loading="Loading the history"
      failed="The history could not be loaded."
      older="Older history"
      nothing={isGone ? gone : nothingYet}
      loadsOnScroll={loadsOnScroll}
    >
      {entries?.map((entry) => (
        <HistoryItem
          key={entry.id}
          entry={entry}
          of={subject}
          onUndo={undoable && entry.merge?.id === undoable ? () => askAndUndo(undoable) : undefined}
          isBusy={undo.isPending}
          putBack={putBack}
        />
      ))}
    </DialogList>
  )
}

const nothingYet = { title: 'No history yet', text: 'Changes to this record will appear here.' }
const gone = { title: 'This record has been deleted', text: 'There is nothing more to see here.' }
