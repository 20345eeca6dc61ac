import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import type { ListedMerge } from '#contract/merge.ts'
import { ApiError, get, getPage, type Page } from '#web/lib/http.ts'
import { partKey } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'

/** A record with a history. */
export type HistorySubject = { kind: RecordKind; id: string; name: string }

/** What the keys of all histories begin with. */
export const historiesKey: QueryKey = ['history']

/** The key of one record's history. Ids are unique over all kinds. */
export const historyKey = (id: string): QueryKey => ['history', id]

const ENTRIES_A_PAGE = 50

type HistoryPage = Page<HistoryEntry> & { isGone: boolean }

/** Newest first, a page at a time. A deleted record is a result here, not a failure. */
export const historyList = ({ kind, id }: HistorySubject) =>
  infiniteQueryOptions({
    queryKey: historyKey(id),
    queryFn: ({ pageParam, signal }) => getHistory(pageParam, signal),
    initialPageParam: `/${kind.path}/${id}/history?limit=${ENTRIES_A_PAGE}`,
    getNextPageParam: (page: HistoryPage) => page.next,
    meta: { failure: 'Failed to load the history' },
  })

const getHistory = async (path: string, signal: AbortSignal): Promise<HistoryPage> => {
  try {
    return { ...(await getPage<HistoryEntry>(path, { signal })), isGone: false }
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404)
      return { rows: [], next: null, total: null, isGone: true }
    throw failure
  }
}

/** The key of what was merged into one record. */
export const mergesKey = (id: string) => partKey(id, 'merges')

/** What was merged into a record, newest first. */
export const listMerges = (id: string) =>
  queryOptions({
    queryKey: mergesKey(id),
    queryFn: ({ signal }) => get<ListedMerge[]>(`/records/${id}/merges`, { signal }),
  })

/** The number of entries to search for the last edit, because notes and refreshes are in the history too. */
const ENTRIES_LOOKED_THROUGH = 20

/** The author of the edit that created this version; null when unknown. */
export const lastEditor = ({ kind, id }: Pick<HistorySubject, 'kind' | 'id'>, version: number) =>
  queryOptions({
    queryKey: [...historyKey(id), 'editor of', version],
    queryFn: async ({ signal }) => {
      const path = `/${kind.path}/${id}/history?limit=${ENTRIES_LOOKED_THROUGH}`
      const { rows } = await getPage<HistoryEntry>(path, { signal })
      return rows.find(({ action }) => action === 'update')?.by ?? null
    },
    retry: false,
  })
