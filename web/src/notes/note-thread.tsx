import { Avatar } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentType, useRef, useState } from 'react'
import type { User } from '#contract/auth.ts'
import { formatNoteTime } from '#web/lib/dates.ts'
import { delay } from '#web/lib/delay.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { DialogList } from '#web/records/list/dialog-list.tsx'
import { useRights } from '#web/session/use-rights.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { useCommand } from '#web/ui/keys/commands.ts'
import type { NoteBoxProps } from './note-box.tsx'
import classes from './note-item.module.css'
import { NoteText } from './note-text.tsx'
import type { TypedNote } from './typed-note.ts'
import type { ListedNote, useNotes } from './use-notes.ts'

type NoteThreadProps = {
  notes: ReturnType<typeof useNotes>
  /** The box for a new note, which a screen may load later. */
  Box: ComponentType<NoteBoxProps>
  user: User
  /** The number of notes that the record has. */
  expected: number
  /** Whether the person may delete the notes of others. */
  deletesAll?: boolean | undefined
  loadsOnScroll?: boolean
  /** How many notes are shown before *Show all*. Undefined: all. */
  first?: number | undefined
  /** Called around a question. Escape then answers that question, and closes nothing else. */
  onAsking?: (isAsking: boolean) => void
}

/** The box for a new note above all notes on a record. */
export const NoteThread = ({ notes: thread, Box, user, onAsking = () => {}, ...shown }: NoteThreadProps) => {
  const { list, draft, notes, isGone, add, remove } = thread
  const box = useRef<HTMLTextAreaElement>(null)
  const mayChange = useRights()('change')
  useCommand('Add a note', mayChange ? () => box.current?.focus() : undefined)

  const addAndGoOn = (note: TypedNote) => {
    add(note)
    // The button is disabled while there is no text.
    box.current?.focus()
  }
  const askAndRemove = async (noteId: string) => {
    onAsking(true)
    const isSure = await confirm(sure)
    // Waits until the Escape that closed the question has been handled. It would also close a dialog below.
    await delay(0)
    onAsking(false)
    if (!isSure) return
    remove(noteId)
    box.current?.focus()
  }

  return (
    <>
      {mayChange && <Box ref={box} {...draft} add={addAndGoOn} isGone={isGone} />}
      <NoteList
        list={list}
        notes={notes}
        isGone={isGone}
        ownEmail={mayChange ? user.email : undefined}
        onDelete={askAndRemove}
        {...shown}
      />
    </>
  )
}

const sure = {
  title: 'Delete note',
  text: 'Are you sure you want to delete this note?',
  confirm: 'Delete',
  cancel: 'Cancel',
}

type NoteListProps = {
  list: UseInfiniteQueryResult
  notes: ListedNote[] | undefined
  /** The number of notes that the card shows. */
  expected: number
  isGone: boolean
  /** Undefined for those who may delete none. */
  ownEmail: string | undefined
  deletesAll?: boolean | undefined
  loadsOnScroll?: boolean
  first?: number | undefined
  onDelete: (id: string) => void
}

/** The notes, newest first. */
const NoteList = ({
  list,
  notes,
  expected,
  isGone,
  ownEmail,
  deletesAll = false,
  first = Number.POSITIVE_INFINITY,
  onDelete,
  ...others
}: NoteListProps) => {
  const [isAll, setAll] = useState(false)
  const isCut = !isAll && expected > first && notes !== undefined && notes.length > first
  const shown = isCut ? notes.slice(0, first) : notes
  return (
    <DialogList
      list={list}
      all={isCut ? { label: `Show all ${expected} notes`, show: () => setAll(true) } : undefined}
      label="Notes"
      loading="Loading notes"
      failed="The notes could not be loaded."
      older="Older notes"
      expected={expected}
      {...others}
      nothing={isGone ? undefined : { title: 'No notes yet', text: 'Every fellow can read what you write here.' }}
    >
      {shown?.map((note) => (
        <NoteItem
          key={note.id}
          note={note}
          canDelete={deletesAll || note.authorEmail === ownEmail}
          onDelete={onDelete}
        />
      ))}
    </DialogList>
  )
}

type NoteItemProps = { note: ListedNote; canDelete: boolean; onDelete: (id: string) => void }

const NoteItem = ({ note, canDelete, onDelete }: NoteItemProps) => (
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
        <NoteText note={note} />
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
