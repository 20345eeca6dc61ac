import { useInfiniteQuery } from '@tanstack/react-query'
import { DialogList } from '#web/records/dialog-list.tsx'
import type { DialogAboveProps } from '#web/ui/dialog-above.tsx'
import { SheetDialog } from '#web/ui/sheet-dialog.tsx'
import { historyList, type Remembered } from './api.ts'
import { HistoryItem } from './history-item.tsx'

/** What happened to one record. */
export const HistoryDialog = ({ subject, ...dialog }: DialogAboveProps<Remembered>) => {
  const list = useInfiniteQuery(historyList(subject))
  const pages = list.data?.pages
  const isGone = pages?.[0]?.isGone ?? false
  return (
    <SheetDialog title={subject.name} status="History, newest first" closeLabel="Close history" {...dialog}>
      <DialogList
        list={list}
        label="History"
        loading="Loading the history"
        failed="The history could not be loaded."
        older="Older history"
        nothing={isGone ? gone : nothingYet}
      >
        {pages?.flatMap(({ rows }) => rows.map((entry) => <HistoryItem key={entry.id} entry={entry} of={subject} />))}
      </DialogList>
    </SheetDialog>
  )
}

const nothingYet = { title: 'Nothing yet', text: 'What happens to this record from now on is kept here.' }
const gone = { title: 'This record has been deleted', text: 'There is nothing more to see here.' }
