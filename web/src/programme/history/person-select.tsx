import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SEARCH_MAX } from '#contract/limits.ts'
import { listPeople } from '#web/programme/people/api.ts'
import { tooLong } from '#web/ui/too-long.ts'

/** In milliseconds, after the last key. */
const WAIT = 150

type PersonSelectProps = { value: string; onChange: (email: string) => void }

/** Chooses a person by name or address, those who have left too. An address from before a change can be typed. */
export function PersonSelect({ value, onChange }: PersonSelectProps) {
  const [typed, setTyped] = useState('')
  const [chosenLabel, setChosenLabel] = useState(value)
  const fault = tooLong('Person', typed, SEARCH_MAX)
  // The box of a chosen person has their name, which is not a search.
  const [search] = useDebouncedValue(fault || typed === chosenLabel ? '' : typed.trim(), WAIT)
  const { data, isFetching } = useInfiniteQuery(listPeople(search))
  const options = new Map<string, string>()
  for (const { name, email } of data?.pages.flatMap(({ rows }) => rows) ?? [])
    if (email !== '') options.set(email, name ? `${name}, ${email}` : email)
  for (const email of [value, search]) if (/.@./.test(email) && !options.has(email)) options.set(email, email)
  return (
    <Select
      label="Person"
      placeholder="Anyone"
      searchable
      clearable
      openOnFocus={false}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No person found'}
      error={fault}
      data={[...options].map(([value, label]) => ({ value, label }))}
      filter={({ options }) => options}
      value={value || null}
      onChange={(email, option) => {
        setChosenLabel(option?.label ?? '')
        onChange(email ?? '')
      }}
      onSearchChange={setTyped}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      clearButtonProps={{ 'aria-label': 'Anyone' }}
    />
  )
}
