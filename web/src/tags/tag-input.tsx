import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/InlineInput.css'
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { fold } from '#contract/fold.ts'
import { type RecordTag, TAG_NAME_MAX } from '#contract/tags.ts'
import type { TypedDraft } from '#web/session/use-draft.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { listTags, tagNamed } from './api.ts'
import classes from './tags.module.css'

const OFFERED_MAX = 8
const NEW = 'new'

type TagInputProps = {
  label: string
  draft: TypedDraft<{ text: string }>
  /** False for a field that was already open when the page loaded. */
  takesFocus?: boolean
  /** Tags that are not offered again. */
  taken: readonly RecordTag[]
  isBusy: boolean
  /** Returns whether the tag was added. */
  onTag: (name: string) => Promise<boolean>
  onEnd: () => void
}

/** A tag by typing: those that are here are offered, any other name is a new one. Escape ends, and keeps the text. */
export function TagInput({ label, draft, takesFocus = true, taken, isBusy, onTag, onEnd }: TagInputProps) {
  const { text } = draft.values
  const setText = (text: string) => draft.change({ text })
  const combobox = useCombobox()
  const { data: tags = [] } = useQuery(listTags)
  const typed = text.trim()
  const isTaken = ({ id }: RecordTag) => taken.some((tag) => tag.id === id)
  const offered = tags.filter((tag) => !isTaken(tag) && fold(tag.name).includes(fold(typed))).slice(0, OFFERED_MAX)
  const fault = tooLong('Tag', text, TAG_NAME_MAX)
  const named = tagNamed(tags, typed)
  const isNew = typed !== '' && named === undefined

  const add = async (name: string) => {
    if (name === '' || isBusy || fault) return
    combobox.closeDropdown()
    if (named && isTaken(named) && name === typed) return setText('')
    if (await onTag(name)) setText('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // Without a chosen line, what is typed.
      if (combobox.dropdownOpened && combobox.getSelectedOptionIndex() >= 0) return
      event.preventDefault()
      void add(typed)
    } else if (event.key === 'Escape') {
      if (combobox.dropdownOpened && typed !== '') combobox.closeDropdown()
      else onEnd()
    }
  }
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(value) => void add(value === NEW ? typed : value.slice(1))}
    >
      <Combobox.Target>
        <TextInput
          ref={takesFocus ? focusWhenShown : null}
          aria-label={label}
          placeholder="Tag, then Enter"
          size="xs"
          autoComplete="off"
          enterKeyHint="done"
          error={fault}
          value={text}
          readOnly={isBusy}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0 && !isNew}>
        <Combobox.Options aria-label="Tags">
          {offered.map(({ id, name }) => (
            <Combobox.Option key={id} value={`#${name}`}>
              <bdi className={classes.name}>{name}</bdi>
            </Combobox.Option>
          ))}
          {isNew && (
            <Combobox.Option value={NEW}>
              New tag “<bdi className={classes.name}>{typed}</bdi>”
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
