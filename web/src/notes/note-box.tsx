import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Button, Combobox, Textarea, useCombobox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Fellow } from '#contract/fellow.ts'
import { NOTE_MAX } from '#contract/limits.ts'
import { NoteInput } from '#contract/note.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { LinkHint } from '#web/filled/link-hint.tsx'
import { useTouched } from '#web/filled/use-touched.ts'
import classes from './note-box.module.css'
import { editNote, inputOf, mentionFellow, NO_NOTE, type TypedNote } from './typed-note.ts'
import { useNaming } from './use-naming.ts'

const AMBER_FROM = 900

export type NoteBoxProps = {
  ref: Ref<HTMLTextAreaElement>
  note: TypedNote
  setNote: (note: TypedNote) => void
  add: (note: TypedNote) => void
  isGone: boolean
  /** Whether a link has filled it in. */
  isOfLink?: boolean
  /** Adds what a link proposes to what was typed before. */
  addLinked?: (() => void) | undefined
}

/**
 * The box for a new note, in which `@` opens the fellows. It accepts more text than a note can hold, so that pasted text is
 * never truncated unnoticed.
 */
export const NoteBox = ({ ref, note, setNote, add, isGone, isOfLink = false, addLinked }: NoteBoxProps) => {
  const { touching, maySend } = useTouched(isOfLink)
  const input = NoteInput.safeParse(inputOf(note))
  const length = lengthOf(note.text.trim())
  const complaint = length > 0 && !input.success ? input.error.issues[0]?.message : undefined
  const box = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number>()
  const naming = useNaming(note, caret)
  const fellows = naming?.fellows ?? []
  const isOpen = fellows.length > 0
  const list = useCombobox({ opened: isOpen })
  const [chosen, setChosen] = useState<string | null>(null)
  const offered = fellows.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when others are offered
  useEffect(() => setChosen(offered === '' ? null : list.selectFirstOption()), [offered])

  const save = () => {
    if (!input.success || isGone) return
    if (maySend) add(note)
    else box.current?.focus()
  }
  const choose = (fellow: Fellow | undefined) => {
    if (!naming || !fellow || caret === undefined) return
    const next = mentionFellow(note, { at: naming.at, caret, fellow })
    flushSync(() => {
      setNote(next.note)
      setCaret(next.caret)
    })
    box.current?.setSelectionRange(next.caret, next.caret)
  }
  /** What was pressed before the fellows were there chooses the first of them. */
  const held = useRef<string>(undefined)
  useEffect(() => {
    if (held.current === undefined || naming?.isSearching) return
    const isSame = held.current === naming?.typed
    held.current = undefined
    if (isSame) choose(fellows[0])
  })

  const pressInList = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(list.selectNextOption())
    else if (event.key === 'ArrowUp') setChosen(list.selectPreviousOption())
    else if (event.key === 'Enter' || event.key === 'Tab') list.clickSelectedOption()
    else if (event.key === 'Escape') naming?.close()
    else return
    event.preventDefault()
  }
  const press = (event: KeyboardEvent) => {
    const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey
    if (isOpen && !hasModifier) return pressInList(event)
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (naming?.isSearching) held.current = naming.typed
    else save()
  }

  return (
    <div className={classes.root} {...touching}>
      {isOfLink && <LinkHint act="Start over" onAct={() => setNote(NO_NOTE)} />}
      {addLinked && <LinkHint text="The link has a note too." act="Add it below yours" onAct={addLinked} />}
      <Combobox
        store={list}
        position="bottom-start"
        withinPortal={false}
        floatingStrategy="fixed"
        onOptionSubmit={(id) => choose(fellows.find((fellow) => fellow.id === id))}
      >
        <Combobox.DropdownTarget>
          <Textarea
            ref={useMergedRef(ref, box)}
            data-autofocus
            aria-label="New note"
            aria-autocomplete="list"
            aria-controls={(isOpen && list.listId) || undefined}
            aria-activedescendant={(isOpen && chosen) || undefined}
            // Escape closes the list, and no dialog around it.
            data-mantine-stop-propagation={isOpen || undefined}
            data-expanded={isOpen || undefined}
            placeholder="Write a note for the other fellows"
            enterKeyHint="send"
            classNames={{ wrapper: classes.box, input: classes.input }}
            value={note.text}
            error={isGone ? GONE : (complaint ?? (naming?.isError && NOT_LOADED))}
            onChange={({ currentTarget: { value, selectionEnd } }) => {
              setNote(editNote(note, value, selectionEnd))
              setCaret(selectionEnd)
            }}
            onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
              setCaret(selectionStart === selectionEnd ? selectionEnd : undefined)
            }
            onBlur={() => setCaret(undefined)}
            onKeyDown={press}
          />
        </Combobox.DropdownTarget>
        <Combobox.Dropdown className={classes.dropdown ?? ''}>
          <Combobox.Options aria-label="Fellows">
            {fellows.map(({ id, name, email }) => (
              <Combobox.Option key={id} value={id}>
                <bdi>{name || email}</bdi>
                <span className={classes.email}>{email}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div className={classes.foot}>
        <span className={classes.counter} data-level={levelOf(length)}>
          {length}/{NOTE_MAX}
        </span>
        <span className={classes.hint}>Enter saves, Shift+Enter starts a new line</span>
        <Button onClick={save} disabled={!input.success || isGone}>
          Add Note
        </Button>
      </div>
    </div>
  )
}

const NOT_LOADED = 'The fellows could not be loaded.'
const GONE = 'This record has been deleted. Your text stays here, so that you can copy it.'

const levelOf = (length: number) => {
  if (length >= NOTE_MAX) return 'red'
  return length >= AMBER_FROM ? 'amber' : undefined
}
