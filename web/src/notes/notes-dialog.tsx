import { useRef, useState } from 'react'
import { delay } from '#web/lib/delay.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import { Rating } from '#web/records/rating.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { confirm } from '#web/ui/confirm.ts'
import type { DialogAboveProps } from '#web/ui/dialog-above.tsx'
import { SheetDialog } from '#web/ui/sheet-dialog.tsx'
import { countNotes } from './count-notes.ts'
import { NoteBox } from './note-box.tsx'
import { NoteList } from './note-list.tsx'
import classes from './notes-dialog.module.css'
import { useNotes } from './use-notes.ts'

/** The record of the notes dialog. */
export type NotesSubject = { kind: RecordKind; id: string; record: RecordRow }

/** All notes on a record, below the record itself in brief. */
export const NotesDialog = ({ subject, ...dialog }: DialogAboveProps<NotesSubject>) => {
  const { kind, record } = subject
  const user = useCurrentUser()
  const { list, draft, notes, total, isGone, add, remove } = useNotes(subject, user)
  const box = useRef<HTMLTextAreaElement>(null)
  const [isAsking, setAsking] = useState(false)

  const addAndGoOn = (content: string) => {
    add(content)
    // The button is disabled while there is no text.
    box.current?.focus()
  }
  const askAndRemove = async (noteId: string) => {
    setAsking(true)
    const isSure = await confirm(sure)
    // Waits until the Escape that closed the question has been handled. It would also close this dialog.
    await delay(0)
    setAsking(false)
    if (!isSure) return
    remove(noteId)
    box.current?.focus()
  }

  return (
    <SheetDialog
      title={record.name}
      status={total === undefined ? '' : countNotes(total)}
      closeLabel="Close notes"
      closeOnEscape={!isAsking}
      {...dialog}
    >
      <div className={classes.about}>
        <div className={classes.line}>
          <kind.Title record={record} search="" />
          <Rating record={record} />
        </div>
        <OriginalNotes record={record} search="" lines={1} />
      </div>
      <NoteBox ref={box} text={draft.text} setText={draft.setText} add={addAndGoOn} isGone={isGone} />
      <NoteList
        list={list}
        notes={notes}
        expected={record.notesCount}
        isGone={isGone}
        ownEmail={user.email}
        onDelete={askAndRemove}
      />
    </SheetDialog>
  )
}

const sure = {
  title: 'Delete note',
  text: 'Are you sure you want to delete this note?',
  confirm: 'Delete',
  cancel: 'Cancel',
}
