import { type ComponentType, useRef } from 'react'
import type { User } from '#contract/auth.ts'
import { delay } from '#web/lib/delay.ts'
import { confirm } from '#web/ui/confirm.ts'
import type { NoteBoxProps } from './note-box.tsx'
import { NoteList } from './note-list.tsx'
import type { useNotes } from './use-notes.ts'

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
  /** Called around a question. Escape then answers that question, and closes nothing else. */
  onAsking?: (isAsking: boolean) => void
}

/** The box for a new note above all notes on a record. */
export const NoteThread = ({ notes: thread, Box, user, onAsking = () => {}, ...shown }: NoteThreadProps) => {
  const { list, draft, notes, isGone, add, remove } = thread
  const box = useRef<HTMLTextAreaElement>(null)

  const addAndGoOn = (content: string) => {
    add(content)
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
      <Box ref={box} text={draft.text} setText={draft.setText} add={addAndGoOn} isGone={isGone} />
      <NoteList list={list} notes={notes} isGone={isGone} ownEmail={user.email} onDelete={askAndRemove} {...shown} />
    </>
  )
}

const sure = {
  title: 'Delete note',
  text: 'Are you sure you want to delete this note?',
  confirm: 'Delete',
  cancel: 'Cancel',
}
