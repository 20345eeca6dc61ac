import { Button } from '@mantine/core'
import { IconMessage, IconMessagePlus } from '@tabler/icons-react'
import type { Kind } from '#contract/kinds.ts'
import { formatDaysAgo } from '#web/lib/dates.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { countNotes } from './count-notes.ts'
import classes from './notes-preview.module.css'
import { useOpenNotes } from './notes-provider.tsx'

type NotesPreviewProps = { kind: Kind; record: RecordRow }

/** The newest fellow notes on a card, and the way to all of them. */
export const NotesPreview = ({ kind, record }: NotesPreviewProps) => {
  const openNotes = useOpenNotes()
  const open = () => openNotes({ kind, id: record.id, name: record.name })
  const opener = { variant: 'subtle', size: 'compact-sm', className: classes.opener ?? '', onClick: open } as const
  if (record.notesCount === 0)
    return (
      <Button {...opener} leftSection={<IconMessagePlus size={16} stroke={1.5} />}>
        Add a note<span className="visually-hidden"> on {record.name}</span>
      </Button>
    )
  return (
    <div className={classes.root}>
      <ul className={classes.notes} aria-label={`Fellow notes on ${record.name}`}>
        {record.notesPreview.map((note) => (
          <li key={note.id} className={classes.note}>
            <p className={classes.meta}>
              <bdi className={classes.author}>{note.author}</bdi> ·{' '}
              <time dateTime={note.createdAt}>{formatDaysAgo(note.createdAt)}</time>
            </p>
            <p className={classes.content} dir="auto">
              {note.content}
            </p>
          </li>
        ))}
      </ul>
      <Button {...opener} leftSection={<IconMessage size={16} stroke={1.5} />}>
        View all {countNotes(record.notesCount)}
        <span className="visually-hidden"> on {record.name}</span>
      </Button>
    </div>
  )
}
