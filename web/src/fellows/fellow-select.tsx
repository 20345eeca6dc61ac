import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/InlineInput.css'
import { Anchor, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Fellow } from '#contract/fellow.ts'
import { SEARCH_MAX } from '#contract/limits.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { tooLong } from '#web/ui/too-long.ts'
import { findFellows, getFellow, listFellows, NONE } from './api.ts'
import classes from './fellow-select.module.css'

/** In milliseconds, as in the search box. */
const WAIT = 150

/** A fellow may have no name. */
const labelOf = ({ name, email }: Pick<Fellow, 'name' | 'email'>) => name || email

type FellowSelectProps = {
  label: string
  description?: string
  value: string
  onChange: (id: string) => void
  /** Shown without a choice. */
  placeholder?: string
  /** The words for no fellow, where that can be chosen. */
  none?: string | undefined
  autoFocus?: boolean
}

/** Chooses a fellow by name or email, the signed-in one first. */
export function FellowSelect({
  label,
  description,
  value,
  onChange,
  placeholder = 'Any fellow',
  none,
  autoFocus = false,
}: FellowSelectProps) {
  const { email } = useCurrentUser()
  const [typed, setTyped] = useState('')
  const [waited] = useDebouncedValue(typed, WAIT)
  const chosen = useQuery({ ...getFellow(value), enabled: value !== '' && value !== NONE }).data
  const chosenLabel = value === '' ? '' : value === NONE ? (none ?? '') : chosen ? labelOf(chosen) : 'A fellow'
  // The box of a chosen fellow has their name, which is not a search.
  const fault = tooLong('Name', typed, SEARCH_MAX)
  const searchOf = (text: string) => (fault || text.trim() === chosenLabel ? '' : text.trim())
  const search = searchOf(waited)
  const me = useQuery(listFellows(email)).data?.filter((fellow) => fellow.email === email) ?? []
  const found = useQuery({ ...listFellows(search), placeholderData: keepPreviousData })
  const isOutdated = searchOf(typed) !== search || found.isPlaceholderData
  const [isOpen, setOpen] = useState(false)
  const keys = useRef(0)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  /** Enter never chooses one of those that an earlier text has found, but the first one of the whole text. */
  const chooseFirst = async () => {
    setOpen(false)
    const pressed = keys.current
    const text = searchOf(typed)
    if (text === '') return
    // Not the query of the list, which ends when the focus leaves.
    const [first] = await findFellows(text).catch(() => [])
    if (first && keys.current === pressed) latest.current(first.id)
  }
  const fellows = [...(search === '' ? me : []), ...(found.data ?? [])]
  const byId = new Map<string, Fellow>(fellows.map((fellow) => [fellow.id, fellow]))
  if (none !== undefined && search === '') byId.set(NONE, { id: NONE, name: none, email: '' })
  if (value !== '' && !byId.has(value)) byId.set(value, { id: value, name: chosenLabel, email: chosen?.email ?? '' })
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder}
      data-autofocus={autoFocus || undefined}
      ref={autoFocus ? focusWhenShown : null}
      searchable
      clearable
      openOnFocus={false}
      selectFirstOptionOnChange={!isOutdated}
      nothingFoundMessage={found.isFetching ? 'Searching…' : found.isError ? undefined : 'No fellow found'}
      error={
        fault ??
        (found.isError && (
          <>
            The fellows could not be loaded.{' '}
            <Anchor component="button" type="button" inherit underline="always" onClick={() => found.refetch()}>
              Try again
            </Anchor>
          </>
        ))
      }
      data={[...byId.values()].map((fellow) => ({ value: fellow.id, label: labelOf(fellow) }))}
      filter={({ options }) => options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      onSearchChange={setTyped}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onInput={() => {
        keys.current += 1
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !isOutdated) return
        event.preventDefault()
        void chooseFirst()
      }}
      renderOption={({ option }) => {
        const fellow = byId.get(option.value)
        return (
          <span className={classes.option}>
            <bdi>{option.label}</bdi>
            <span className={classes.email}>{fellow?.email === email ? 'Me' : fellow?.email}</span>
          </span>
        )
      }}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
      clearButtonProps={{ 'aria-label': `${placeholder}: ${label}` }}
    />
  )
}
