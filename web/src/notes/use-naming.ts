import { useDebouncedValue } from '@mantine/hooks'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FELLOWS_MAX, type Fellow } from '#contract/fellow.ts'
import { foldWithoutMarks } from '#contract/fold.ts'
import { listFellows } from '#web/fellows/api.ts'
import { namingAt, type TypedNote } from './typed-note.ts'

/** In milliseconds, after the last key. */
const WAIT = 150
/** Beyond these a person types on: the list, which no key enters, must not scroll. */
const OFFERED_MAX = 5

/** The fellows whom the name before the caret may mean. Undefined where none is typed, or its list was closed. */
export function useNaming(note: TypedNote, caret: number | undefined) {
  const client = useQueryClient()
  const [closedAt, setClosedAt] = useState<number>()
  const found = caret === undefined ? undefined : namingAt(note, caret)
  const naming = found?.at === closedAt ? undefined : found
  const [waited] = useDebouncedValue(naming?.typed, WAIT)
  const known = naming && knownFellows(client, naming.typed)
  const isWaited = naming !== undefined && naming.typed === waited
  const { fetchStatus, isError } = useQuery({
    ...listFellows(waited ?? ''),
    enabled: isWaited && known === undefined,
  })
  // The next name is another one.
  if (closedAt !== undefined && found?.at !== closedAt) setClosedAt(undefined)
  return (
    naming && {
      ...naming,
      fellows: known?.slice(0, OFFERED_MAX) ?? [],
      isSearching: known === undefined && (!isWaited || fetchStatus === 'fetching'),
      isError: known === undefined && isWaited && isError,
      close: () => setClosedAt(naming.at),
    }
  )
}

/** Those that an earlier search gives for what is typed now: an answer that was not cut has everyone with a longer name too. */
function knownFellows(client: QueryClient, typed: string): Fellow[] | undefined {
  for (let length = typed.length; length >= 0; length -= 1) {
    const fellows = client.getQueryData<Fellow[]>(listFellows(typed.slice(0, length)).queryKey)
    if (fellows && (length === typed.length || fellows.length < FELLOWS_MAX)) {
      const name = foldWithoutMarks(typed)
      return fellows.filter((fellow) =>
        [fellow.name, fellow.email].some((text) => foldWithoutMarks(text).includes(name)),
      )
    }
  }
  return undefined
}
