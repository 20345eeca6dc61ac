import { useState } from 'react'
import { FindersLine } from '#web/finders/finders-line.tsx'
import type { DialogAboveProps } from '#web/ui/dialogs/routed-dialog.tsx'
import { SheetDialog } from '#web/ui/dialogs/sheet-dialog.tsx'
import type { HistorySubject } from './api.ts'
import { HistoryList } from './history-list.tsx'

/** The history of one record. */
export const HistoryDialog = ({ subject, ...dialog }: DialogAboveProps<HistorySubject>) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <SheetDialog
      title={subject.name}
      status="History, newest first"
      closeLabel="Close history"
      closeOnEscape={!isAsking}
      {...dialog}
    >
      <FindersLine kind={subject.kind} id={subject.id} />
      <HistoryList subject={subject} onAsking={setAsking} />
    </SheetDialog>
  )
}
