import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent, Ref } from 'react'
import { NOTE_MAX } from '#contract/limits.ts'
import { NoteInput } from '#contract/note.ts'
import { lengthOf } from '#contract/plain-text.ts'
import classes from './note-box.module.css'

const AMBER_FROM = 900

export type NoteBoxProps = {
  ref: Ref<HTMLTextAreaElement>
  text: string
  setText: (text: string) => void
  add: (content: string) => void
  isGone: boolean
}

/**
 * The box for a new note. It accepts more text than a note can hold, so that pasted text is never truncated unnoticed.
 */
export const NoteBox = ({ ref, text, setText, add, isGone }: NoteBoxProps) => {
  const note = NoteInput.safeParse({ content: text })
  const length = lengthOf(text.trim())
  const complaint = length > 0 && !note.success ? note.error.issues[0]?.message : undefined

  const save = () => {
    if (note.success && !isGone) add(note.data.content)
  }

  const saveOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    save()
  }

  return (
    <div className={classes.root}>
      <Textarea
        ref={ref}
        data-autofocus
        aria-label="New note"
        placeholder="Write a note for the other fellows"
        enterKeyHint="send"
        classNames={{ wrapper: classes.box, input: classes.input }}
        value={text}
        error={isGone ? GONE : complaint}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={saveOnEnter}
      />
      <div className={classes.foot}>
        <span className={classes.counter} data-level={levelOf(length)}>
          {length}/{NOTE_MAX}
        </span>
        <span className={classes.hint}>Enter saves, Shift+Enter starts a new line</span>
        <Button onClick={save} disabled={!note.success || isGone}>
          Add Note
        </Button>
      </div>
    </div>
  )
}

const GONE = 'This record has been deleted. Your text stays here, so that you can copy it.'

const levelOf = (length: number) => {
  if (length >= NOTE_MAX) return 'red'
  return length >= AMBER_FROM ? 'amber' : undefined
}
