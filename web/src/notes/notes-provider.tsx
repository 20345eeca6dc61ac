import { useEffect } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'

const { Holder, useOpen, preload } = dialogAbove(
  'notes',
  'The notes could not be loaded.',
  async () => (await import('./notes-dialog.tsx')).NotesDialog,
)

export const NotesProvider = Holder

/** Opens the notes of a record. The script of the dialog is loaded when the page is idle, as the first opening must not wait. */
export const useOpenNotes = () => {
  useEffect(() => whenIdle(preload), [])
  return useOpen()
}
