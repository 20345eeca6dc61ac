import { infiniteQueryOptions, mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { Change } from '#contract/changes.ts'
import { undoMany } from '#web/bulk/api.ts'
import { kinds } from '#web/kinds.ts'
import { getPage, type Page, post } from '#web/lib/http.ts'
import { truncateLists } from '#web/records/cache/list-cache.ts'
import { isOfSession } from '#web/session/api.ts'

export const changesKey = ['changes'] as const

const CHANGES_A_PAGE = 30

/** Newest first, a page at a time. */
export const listChanges = infiniteQueryOptions({
  queryKey: changesKey,
  queryFn: ({ pageParam, signal }) => getPage<Change>(pageParam, { signal }),
  initialPageParam: `/changes?limit=${CHANGES_A_PAGE}`,
  getNextPageParam: (page: Page<Change>) => page.next,
  staleTime: 0,
  meta: { failure: 'Failed to fetch recent changes' },
})

/** Refetches what is shown, and the rest with the next screen. The undo of a change may concern any record. */
export const refetchEverything = (client: QueryClient) => {
  for (const kind of kinds) truncateLists(client, kind)
  return client.invalidateQueries({ predicate: (query) => !isOfSession(query) })
}

/** Gives records back what they had before an act on many of them. */
export const undoBulk = mutationOptions({
  mutationFn: undoMany,
  meta: { failure: 'The change could not be undone' },
})

/** Brings a deleted record back. */
export const restoreDeleted = mutationOptions({
  mutationFn: (id: string) => post<void>(`/programme/deleted/${id}/restore`, {}),
  meta: { failure: 'The record could not be brought back' },
})
