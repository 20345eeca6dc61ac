import { Avatar } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { formatNoteTime } from '#web/lib/dates.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './note-item.module.css'
import type { ListedNote } from './use-notes.ts'

type NoteItemProps = { note: ListedNote; canDelete: boolean; onDelete: (id: string) => void }

export const NoteItem = ({ note, canDelete, onDelete }: NoteItemProps) => (
  <li className={classes.root} aria-busy={note.isSaving || undefined}>
    <Avatar name={note.author} size={32} aria-hidden="true">
      {initialsOf(note.author)}
    </Avatar>
    <div className={classes.text}>
      <p className={classes.meta}>
        <bdi className={classes.author}>{note.author}</bdi>
        <span className={classes.time}>
          {note.isSaving ? 'Saving…' : <time dateTime={note.createdAt}>{formatNoteTime(note.createdAt)}</time>}
        </span>
      </p>
      <p className={classes.content} dir="auto">
        {note.content}
      </p>
    </div>
    {canDelete && !note.isSaving && (
      <div className={classes.delete}>
        <IconButton
          label="Delete note"
          tip="Delete"
          icon={<IconTrash size={18} stroke={1.5} />}
          onClick={() => onDelete(note.id)}
        />
      </div>
    )}
  </li>
)
