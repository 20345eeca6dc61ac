import { type ComponentProps, useEffect } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { dialogAbove } from '#web/ui/dialogs/routed-dialog.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'

const LazyDialog = lazyPart(
  'The notes could not be loaded.',
  async () => (await import('./notes-dialog.tsx')).NotesDialog,
)

const NotesDialog = (props: ComponentProps<typeof LazyDialog>) => {
  const giveUp = () => {
    props.onClose()
    props.onClosed()
  }
  return <LazyDialog {...props} onCloseFailed={giveUp} />
}

const { Holder, useOpen } = dialogAbove('notes', NotesDialog)

export const NotesProvider = Holder

/** Opens the notes of a record. The script of the dialog is loaded when the page is idle, as the first opening must not wait. */
export const useOpenNotes = () => {
  useEffect(() => whenIdle(LazyDialog.preload), [])
  return useOpen()
}
