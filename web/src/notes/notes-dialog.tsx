import { Modal } from '@mantine/core'
import { useRef, useState } from 'react'
import { useCurrentUser } from '#web/auth/use-current-user.ts'
import { delay } from '#web/lib/delay.ts'
import { confirm } from '#web/ui/confirm.tsx'
import { Dialogs } from '#web/ui/dialogs.tsx'
import type { Noted } from './api.ts'
import { countNotes } from './count-notes.ts'
import { NoteBox } from './note-box.tsx'
import { NoteList } from './note-list.tsx'
import classes from './notes-dialog.module.css'
import { useNotes } from './use-notes.ts'

type NotesDialogProps = { noted: Noted; isOpen: boolean; onClose: () => void; onClosed: () => void }

/** All notes of one record: a dialog on wide screens, a sheet from below on phones. */
export const NotesDialog = ({ noted, isOpen, onClose, onClosed }: NotesDialogProps) => {
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
    <Dialogs>
      <Modal.Root
        opened={isOpen}
        onClose={onClose}
        onExitTransitionEnd={onClosed}
        returnFocus={false}
        closeOnEscape={!isAsking}
        centered
        size={560}
        transitionProps={{ duration: 150 }}
        classNames={{ inner: classes.inner, content: classes.content }}
      >
        <Modal.Overlay />
        <Modal.Content>
          <div className={classes.head}>
            <Modal.Title className={classes.title} component="h2" dir="auto">
              {noted.name}
            </Modal.Title>
            <p className={classes.count} role="status">
              {total === undefined ? ' ' : countNotes(total)}
            </p>
            <Modal.CloseButton size={40} iconSize={20} aria-label="Close notes" className={classes.close} />
          </div>
          <NoteBox ref={box} text={draft.text} setText={draft.setText} add={add} isGone={isGone} />
          <NoteList list={list} notes={notes} isGone={isGone} ownEmail={user.email} onDelete={askAndRemove} />
        </Modal.Content>
      </Modal.Root>
    </Dialogs>
  )
}

const sure = {
  title: 'Delete note',
  text: 'Are you sure you want to delete this note?',
  confirm: 'Delete',
  cancel: 'Cancel',
}
