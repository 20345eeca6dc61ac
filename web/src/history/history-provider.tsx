import { lazy } from 'react'
import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'

const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }))

const { Holder, useOpen } = dialogAbove('history', HistoryDialog)

export const HistoryProvider = Holder
/** Opens the history of a record. */
export const useOpenHistory = useOpen
