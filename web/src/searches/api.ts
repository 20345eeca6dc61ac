import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { SavedSearch, SavedSearchPatch } from '#contract/saved-search.ts'
import { del, getPage, patch, post, put } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'

export const searchesKey = ['searches'] as const

/** One's own searches and shared ones, and until when the numbers of watched ones count. */
type Searches = { all: SavedSearch[]; until: string }

export const listSearches = queryOptions({
  queryKey: searchesKey,
  queryFn: async ({ signal }): Promise<Searches> => {
    const all: SavedSearch[] = []
    let [next, until]: [string | null, string] = [
      `/searches?${new URLSearchParams({ limit: '500', timeZone: timeZone() })}`,
      '',
    ]
    while (next !== null) {
      const page: Awaited<ReturnType<typeof getPage<SavedSearch>>> = await getPage<SavedSearch>(next, { signal })
      all.push(...page.rows)
      until ||= page.seenUntil ?? ''
      next = page.next
    }
    return { all, until }
  },
})

const refetch = (client: QueryClient) => client.invalidateQueries({ queryKey: searchesKey })

/** What a form says of a search. */
export type SearchValues = { name: string; about: string; isShared: boolean; isPinned: boolean }

type Created = SearchValues & { kind: Kind['name']; query: string; key: string }

export const createSearch = mutationOptions({
  mutationFn: ({ key, ...search }: Created) => post<SavedSearch>('/searches', search, { key }),
  onSuccess: (_search, _values, _result, { client }) => refetch(client),
})

export const updateSearch = mutationOptions({
  mutationFn: ({ id, ...change }: SavedSearchPatch & { id: string }) => patch<SavedSearch>(`/searches/${id}`, change),
  onSuccess: (_search, _values, _result, { client }) => refetch(client),
})

export const deleteSearch = mutationOptions({
  mutationFn: (id: string) => del(`/searches/${id}`),
  onSuccess: (_nothing, _id, _result, { client }) => refetch(client),
  meta: { failure: 'The view could not be deleted' },
})

export const watchSearch = mutationOptions({
  mutationFn: ({ id, isWatched }: { id: string; isWatched: boolean }) =>
    put<SavedSearch>(`/searches/${id}/watch`, { isWatched }),
  onSuccess: (_search, _watch, _result, { client }) => refetch(client),
  meta: { failure: 'The view could not be watched' },
})

export const setSearchSeen = mutationOptions({
  mutationFn: ({ id, until }: { id: string; until: string }) => post<void>(`/searches/${id}/seen`, { until }),
  onSuccess: (_nothing, _seen, _result, { client }) => refetch(client),
  meta: { failure: 'Failed to clear the number' },
})
