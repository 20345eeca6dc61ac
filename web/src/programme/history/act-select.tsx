import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { type ComboboxItem, Select } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { actChoices, isFound } from './act-words.ts'

const byValue = new Map(actChoices.map((choice) => [choice.value, choice]))

type ActSelectProps = { value: string; onChange: (value: string) => void }

/** Chooses an act by its words. Other names of actions in the address stay as they are. */
export function ActSelect({ value, onChange }: ActSelectProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const chosen = byValue.get(value)?.label ?? value
  /** Enter right after the last letter comes before the first choice is marked. */
  const chooseFirst = (event: KeyboardEvent<HTMLInputElement>) => {
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
    if (event.key !== 'Enter' || typed === '' || typed === chosen || list?.querySelector('[data-combobox-selected]'))
      return
    const first = actChoices.find((choice) => isFound(choice, typed))
    if (!first) return
    event.preventDefault()
    setOpen(false)
    onChange(first.value)
  }
  return (
    <Select
      label="Act"
      placeholder="Any act"
      searchable
      clearable
      openOnFocus={false}
      selectFirstOptionOnChange
      nothingFoundMessage="No act found"
      data={value === '' || byValue.has(value) ? actChoices : [...actChoices, { value, label: value }]}
      filter={({ options, search }) =>
        options.filter((option) => {
          const choice = byValue.get((option as ComboboxItem).value)
          return search === chosen || (choice !== undefined && isFound(choice, search))
        })
      }
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      onSearchChange={setTyped}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onKeyDown={chooseFirst}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      clearButtonProps={{ 'aria-label': 'Any act' }}
    />
  )
}
