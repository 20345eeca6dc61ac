import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { SEARCH_MAX } from '#contract/limits.ts'
import type { Overrule } from '#contract/overrule.ts'
import { lengthOf, withArticle } from '#contract/plain-text.ts'
import type { RecordPatch } from '#contract/record.ts'
import { ApiError, del, get, getPage, getSeen, type Page, post, put } from '#web/lib/http.ts'
import { withIdentity } from '#web/session/ask-identity.ts'
import { parametersOf, type RecordQuery } from './cache/record-query.ts'
import type { FormValues } from './form/record-form.ts'
import type { FoundRow, RecordRow } from './record-row.ts'

// All calls about records of any kind.

const ROWS_A_PAGE = 50

/**
 * The key of a part that the page of one record shows. Each is refetched after any change of the record. Ids are unique over
 * all kinds.
 */
export const partKey = (id: string, ...part: string[]): QueryKey => ['part', id, ...part]

/** The key of the lists of a kind. The key of each list has its query too. */
export const listsKey = ({ path }: Kind) => [path, 'list'] as const

/** Whether a list may be refetched as a whole. A longer one is updated record by record (see list-cache.ts). */
export const isShort = ({ state }: { state: { data?: unknown } }) =>
  ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) <= 1

/** A list of records in pages. While a new search loads, the rows of the last one stay. */
export const listRecords = (kind: Kind, query: RecordQuery) =>
  infiniteQueryOptions({
    queryKey: [...listsKey(kind), query] as const,
    queryFn: ({ pageParam, signal }) => getPage<RecordRow>(pageParam, { signal }),
    initialPageParam: `/${kind.path}?${new URLSearchParams({ limit: String(ROWS_A_PAGE), ...parametersOf(query) })}`,
    getNextPageParam: (page: Page<RecordRow>) => page.next,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    meta: {
      failure: query.filters.mine
        ? 'Failed to fetch your records. Please try refreshing the page.'
        : `Failed to fetch ${kind.path}`,
      withScreen: true,
    },
  })

/** How many records a short search by name shows: five besides the one that is open. */
const FOUND_MAX = 6

/** The newest few records that a term finds, to choose one of them. */
export const findRecords = ({ path, name }: Kind, search: string) =>
  queryOptions({
    queryKey: [path, 'found', search],
    queryFn: ({ signal }) =>
      get<RecordRow[]>(`/${path}?${new URLSearchParams({ limit: String(FOUND_MAX), search })}`, { signal }),
    enabled: search !== '' && lengthOf(search) <= SEARCH_MAX,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failure: `Failed to find ${withArticle(name)}` },
  })

/** The first few records that a search screen shows for a term: results, similar names, mentions. */
export const findAnywhere = ({ path, name }: Kind, search: string) =>
  queryOptions({
    queryKey: [path, 'anywhere', search],
    queryFn: ({ signal }) =>
      get<FoundRow[]>(`/${path}?${new URLSearchParams({ limit: String(FOUND_MAX), search, in: 'all' })}`, { signal }),
    enabled: search !== '' && lengthOf(search) <= SEARCH_MAX,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { failure: `Failed to find ${withArticle(name)}` },
  })

/** Until when what the last answer with a record shows is seen. */
export const seenUntilKey = (id: string): QueryKey => ['seen-until', id]

/** A single record, for example while it is edited. */
export const getRecord = ({ path }: Kind, id: string) =>
  queryOptions({
    queryKey: [path, 'one', id],
    queryFn: async ({ signal, client }) => {
      const { answer, seenUntil } = await getSeen<RecordRow>(`/${path}/${id}`, { signal })
      client.setQueryData(seenUntilKey(id), seenUntil)
      return answer
    },
  })

/** The ids of the records of a kind that a screen shows by themselves. */
export const openRecords = (client: QueryClient, { path }: Kind): string[] =>
  client
    .getQueryCache()
    .findAll({ queryKey: [path, 'one'], type: 'active' })
    .map(({ queryKey }) => String(queryKey[2]))

/** The record, and the immediate findings of enrichment. */
export type Created = RecordRow & { enrichedData?: object; notice?: string }

/** `overrule`: a manager saves an address although its owner asked not to be kept. */
export type NewRecord = { values: FormValues; key: string; overrule?: Overrule | undefined }

export const postRecord = (kind: Kind, { values, key, overrule }: NewRecord) =>
  withIdentity(() => post<Created>(`/${kind.path}`, { ...values, ...(overrule && { overrule }) }, { key }))

/** Keeps a form that did not reach the server. False if the failure is to be shown instead. */
export type KeepWaiting = (record: NewRecord, wasOnline: boolean) => Promise<boolean>

/** The created record, or null for a form that waits for the network. */
export const createRecord = (kind: Kind, keepWaiting: KeepWaiting = async () => false) =>
  mutationOptions({
    mutationFn: async (record: NewRecord) => {
      const wasOnline = navigator.onLine
      try {
        return await postRecord(kind, record)
      } catch (failure) {
        const isLost = failure instanceof ApiError && failure.status === 0
        if (isLost && (await keepWaiting(record, wasOnline))) return null
        throw failure
      }
    },
    // Removed, not refetched: the new record is first, so the list starts again at its top.
    onSuccess: (created, _input, _result, { client }) => {
      if (created) client.removeQueries({ queryKey: listsKey(kind) })
    },
    meta: { failure: `Failed to add ${kind.name}` },
  })

export const updateRecord = ({ path }: Kind, id: string, patch: RecordPatch) => put<RecordRow>(`/${path}/${id}`, patch)

export const deleteRecord = ({ path }: Kind, id: string) => del(`/${path}/${id}`)

/** The response to `refresh`. */
type RefreshAnswer =
  | { success: true; notice?: string | undefined }
  | { success: true; pending: true }
  | { success: false; error: string }

export const refreshRecord = ({ path }: Kind, id: string) => post<RefreshAnswer>(`/${path}/${id}/refresh`)
