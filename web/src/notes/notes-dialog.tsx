import { useRef, useState } from 'react'
import { useCurrentUser } from '#web/auth/use-current-user.ts'
import { delay } from '#web/lib/delay.ts'
import { confirm } from '#web/ui/confirm.ts'
import type { DialogAboveProps } from '#web/ui/dialog-above.tsx'
import { SheetDialog } from '#web/ui/sheet-dialog.tsx'
import type { Noted } from './api.ts'
import { countNotes } from './count-notes.ts'
import { NoteBox } from './note-box.tsx'
import { NoteList } from './note-list.tsx'
import { useNotes } from './use-notes.ts'

/** All notes of one record. */
export const NotesDialog = ({ subject: noted, ...dialog }: DialogAboveProps<Noted>) => {
  const user = useCurrentUser()
  const { list, draft, notes, total, isGone, add, remove } = useNotes(noted, user)
  const box = useRef<HTMLTextAreaElement>(null)
  const [isAsking, setAsking] = useState(false)

  const askAndRemove = async (noteId: string) => {
    setAsking(true)
    const isSure = await confirm(sure)
    // Not before the Escape that may have answered has gone by, or it would close this dialog too.
    await delay(0)
    setAsking(false)
    if (!isSure) return
    remove(noteId)
    box.current?.focus()
  }

  return (
    <SheetDialog
      title={noted.name}
      status={total === undefined ? '' : countNotes(total)}
      closeLabel="Close notes"
      closeOnEscape={!isAsking}
      {...dialog}
    >
      <NoteBox ref={box} text={draft.text} setText={draft.setText} add={add} isGone={isGone} />
      <NoteList list={list} notes={notes} isGone={isGone} ownEmail={user.email} onDelete={askAndRemove} />
    </SheetDialog>
  )
}

const sure = {
  title: 'Delete note',
  text: 'Are you sure you want to delete this note?',
  confirm: 'Delete',
  cancel: 'Cancel',
}
