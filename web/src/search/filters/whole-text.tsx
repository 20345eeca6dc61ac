import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { SEARCH_MAX } from '#contract/limits.ts'
import { get } from '#web/lib/http.ts'
import { tooLong } from '#web/ui/too-long.ts'
import type { InputProps } from './inputs.tsx'
import { useTyped } from './use-typed.ts'

/** In milliseconds, as in the search box. */
const WAIT = 150

/** Values that records have, which begin with what is typed. */
const listSuggested = ({ path }: Kind, of: string, search: string) =>
  queryOptions({
    queryKey: [path, 'values', of, search],
    queryFn: ({ signal }) => get<string[]>(`/${path}/values?${new URLSearchParams({ of, search })}`, { signal }),
    placeholderData: keepPreviousData,
  })

/** Whether Enter is the list's, which then sets what it offers. */
const isChoosing = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]') != null

/** A text with suggestions. It filters once it is complete: chosen, on Enter or Escape, or when the field is left. */
export const WholeText = ({ kind, filters, change, name, label, example }: InputProps & { example: string }) => {
  const value = filters[name] ?? ''
  const [typed, setTyped] = useTyped(value)
  const fault = tooLong(label, typed, SEARCH_MAX)
  const [search] = useDebouncedValue(typed.trim(), WAIT)
  // Without suggestions, the text is typed as it is.
  const { data: suggested = [] } = useQuery({ ...listSuggested(kind, name, search), enabled: !fault })
  const set = (text: string) => text !== value && change({ [name]: text })
  const complete = () => !fault && set(typed.trim())
  return (
    <Autocomplete
      label={label}
      placeholder={example}
      error={fault}
      autoComplete="off"
      data={suggested}
      filter={({ options }) => options}
      openOnFocus={false}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={set}
      onBlur={complete}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape' || (key === 'Enter' && !isChoosing(currentTarget))) complete()
      }}
      comboboxProps={{ withinPortal: false, transitionProps: { duration: 0 } }}
    />
  )
}
