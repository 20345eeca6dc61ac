import { Button } from '@mantine/core'
import { formatDaysAgo } from '#web/lib/dates.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { countNotes } from './api.ts'
import { NoteText } from './note-text.tsx'
import classes from './notes-preview.module.css'
import { useOpenNotes } from './notes-provider.tsx'

type NotesPreviewProps = { kind: RecordKind; record: RecordRow }

/** The newest fellow notes on a card, with a button to show all. */
export const NotesPreview = ({ kind, record }: NotesPreviewProps) => {
  const openNotes = useOpenNotes()
  return (
    <>
      <ul className={classes.notes} aria-label={`Fellow notes on ${record.name}`}>
        {record.notesPreview.map((note) => (
          <li key={note.id} className={classes.note}>
            <bdi className={classes.author}>{note.author}</bdi>{' '}
            <time dateTime={note.createdAt} className={classes.time}>
              {formatDaysAgo(note.createdAt)}
            </time>{' '}
            <span dir="auto" className={classes.content}>
              <NoteText note={note} />
            </span>
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.all ?? ''}
        onClick={() => openNotes({ kind, id: record.id, record })}
      >
        {record.notesCount === 1 ? 'View note' : `View all ${countNotes(record.notesCount)}`}
        <span className="visually-hidden"> on {record.name}</span>
      </Button>
    </>
  )
}
