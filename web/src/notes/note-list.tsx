import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { DialogList } from '#web/records/dialog-list.tsx'
import { NoteItem } from './note-item.tsx'
import type { ListedNote } from './use-notes.ts'

type NoteListProps = {
  list: UseInfiniteQueryResult
  notes: ListedNote[] | undefined
  /** The number of notes that the card shows. */
  expected: number
  isGone: boolean
  ownEmail: string
  deletesAll?: boolean | undefined
  loadsOnScroll?: boolean
  onDelete: (id: string) => void
}

/** The notes, newest first. */
export const NoteList = ({
  list,
  notes,
  expected,
  isGone,
  ownEmail,
  deletesAll = false,
  onDelete,
  ...others
}: NoteListProps) => (
  <DialogList
    list={list}
    label="Notes"
    loading="Loading notes"
    failed="The notes could not be loaded."
    older="Older notes"
    expected={expected}
    {...others}
    nothing={isGone ? undefined : { title: 'No notes yet', text: 'Every fellow can read what you write here.' }}
  >
    {notes?.map((note) => (
      <NoteItem key={note.id} note={note} canDelete={deletesAll || note.authorEmail === ownEmail} onDelete={onDelete} />
    ))}
  </DialogList>
)
