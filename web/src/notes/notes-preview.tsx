import { Button } from '@mantine/core'
import { IconMessage, IconMessagePlus } from '@tabler/icons-react'
import { formatDaysAgo } from '#web/lib/dates.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { countNotes } from './count-notes.ts'
import classes from './notes-preview.module.css'
import { useOpenNotes } from './notes-provider.tsx'

type NotesPreviewProps = { kind: RecordKind; record: RecordRow }

/** The newest fellow notes on a card, with buttons to show all and to add one. */
export const NotesPreview = ({ kind, record }: NotesPreviewProps) => {
  const openNotes = useOpenNotes()
  const opener = {
    variant: 'subtle',
    size: 'compact-sm',
    className: classes.opener ?? '',
    onClick: () => openNotes({ kind, id: record.id, record }),
  } as const
  const of = <span className="visually-hidden"> on {record.name}</span>
  return (
    <>
      {record.notesCount > 0 && (
        <ul className={classes.notes} aria-label={`Fellow notes on ${record.name}`}>
          {record.notesPreview.map((note) => (
            <li key={note.id} className={classes.note}>
              <bdi className={classes.author}>{note.author}</bdi>{' '}
              <time dateTime={note.createdAt} className={classes.time}>
                {formatDaysAgo(note.createdAt)}
              </time>{' '}
              <span dir="auto" className={classes.content}>
                {note.content}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.openers}>
        {record.notesCount > 0 && (
          <Button {...opener} leftSection={<IconMessage size={16} stroke={1.5} />}>
            {record.notesCount === 1 ? 'View note' : `View all ${countNotes(record.notesCount)}`}
            {of}
          </Button>
        )}
        <Button {...opener} leftSection={<IconMessagePlus size={16} stroke={1.5} />}>
          Add a note
          {of}
        </Button>
      </div>
    </>
  )
}
