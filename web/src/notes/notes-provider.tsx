import { lazy } from 'react'
import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'

const NotesDialog = lazy(async () => ({ default: (await import('./notes-dialog.tsx')).NotesDialog }))

const { Holder, useOpen } = dialogAbove('notes', NotesDialog)

export const NotesProvider = Holder
/** Opens the notes of a record. */
export const useOpenNotes = useOpen
