import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'

const { Holder, useOpen } = dialogAbove(
  'history',
  'The history could not be loaded.',
  async () => (await import('./history-dialog.tsx')).HistoryDialog,
)

export const HistoryProvider = Holder
/** Opens the history of a record. */
export const useOpenHistory = useOpen
