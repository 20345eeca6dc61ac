import { useState } from 'react'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import { Rating } from '#web/records/card/rating.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import type { DialogAboveProps } from '#web/ui/dialogs/routed-dialog.tsx'
import { SheetDialog } from '#web/ui/dialogs/sheet-dialog.tsx'
import { countNotes } from './api.ts'
import { NoteBox } from './note-box.tsx'
import { NoteThread } from './note-thread.tsx'
import classes from './notes-dialog.module.css'
import { useNotes } from './use-notes.ts'

/** The record of the notes dialog. */
export type NotesSubject = { kind: RecordKind; id: string; record: RecordRow }

/** All notes on a record, below the record itself in brief. */
export const NotesDialog = ({ subject, ...dialog }: DialogAboveProps<NotesSubject>) => {
  const { kind, record } = subject
  const user = useCurrentUser()
  const notes = useNotes(subject, user)
  const [isAsking, setAsking] = useState(false)
  return (
    <SheetDialog
      title={record.name}
      status={notes.total === undefined ? '' : countNotes(notes.total)}
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
      <NoteThread notes={notes} Box={NoteBox} user={user} expected={record.notesCount} onAsking={setAsking} />
    </SheetDialog>
  )
}
