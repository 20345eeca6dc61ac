import { lazy, useEffect } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'

const load = async () => ({ default: (await import('./notes-dialog.tsx')).NotesDialog })

const { Holder, useOpen } = dialogAbove('notes', lazy(load))

export const NotesProvider = Holder

/** Opens the notes of a record. The script of the dialog is loaded when the page is idle, as the first opening must not wait. */
export const useOpenNotes = () => {
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [])
  return useOpen()
}
