import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fellowsFor } from './api.ts'

/** In milliseconds, as in the search box. */
const WAIT = 150

type MatchFellowProps = {
  label: string
  description: string
  value: string
  onChange: (id: string) => void
}

/** Chooses the fellow that a name in a file stands for. */
export function MatchFellow({ value, onChange, ...props }: MatchFellowProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, WAIT)
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const found = useQuery({
    ...fellowsFor(search === chosen?.label ? '' : search.trim()),
    placeholderData: keepPreviousData,
  })
  const known = useQuery({ ...fellowsFor(value, 'id'), enabled: value !== '' && chosen?.value !== value })
  const options = new Map(
    [...(found.data ?? []), ...(known.data ?? [])].map(({ id, name, email }) => [
      id,
      { value: id, label: name || email },
    ]),
  )
  if (chosen && !options.has(chosen.value)) options.set(chosen.value, chosen)
  return (
    <Select
      {...props}
      placeholder="Leave out"
      searchable
      clearable
      openOnFocus={false}
      selectFirstOptionOnChange
      maxLength={200}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No fellow found'}
      error={found.isError && 'The fellows could not be loaded. Reload the page.'}
      data={[...options.values()]}
      filter={({ options: all }) => all}
      value={options.has(value) ? value : null}
      onChange={(id, option) => {
        setChosen(id === null || option === null ? undefined : { value: id, label: option.label })
        onChange(id ?? '')
      }}
      onSearchChange={setTyped}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      clearButtonProps={{ 'aria-label': `Leave out: ${props.label}` }}
    />
  )
}
