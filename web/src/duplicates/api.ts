import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { DuplicateReason, Similar } from '#contract/duplicates.ts'
import type { FinderSummary } from '#contract/finder.ts'
import type { Kind } from '#contract/kinds.ts'
import { del, get, getPage, type Page, post } from '#web/lib/http.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

// The calls about records that may be one.

/** The typed fields of a record. */
export type Typed = { name: string; address: string }

/** Records that look like the one being typed, best first. Only a hint, so a failure is not shown. */
export const listSimilar = ({ path, addressField }: RecordKind, { name, address }: Typed) =>
  queryOptions({
    queryKey: ['similar', path, name, address],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...(name && { name }), ...(address && { [addressField]: address }) })
      return get<Similar[]>(`/${path}/similar?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** Two records that may be one, each with its finders. */
export type PairSide = RecordRow & { finders: FinderSummary }
export type Pair = { id: string; a: PairSide; b: PairSide; reasons: DuplicateReason[]; isCertain: boolean }

/** The key of the pairs of a kind. */
export const duplicatesKey = ({ path }: Kind) => ['duplicates', path] as const

const PAIRS_A_PAGE = 20

/** Best first, a page at a time. */
export const listDuplicates = (kind: Kind) =>
  infiniteQueryOptions({
    queryKey: duplicatesKey(kind),
    queryFn: async ({ pageParam, signal }) => {
      const page = await getPage<Omit<Pair, 'id'>>(pageParam, { signal })
      return { ...page, rows: page.rows.map((pair) => ({ ...pair, id: `${pair.a.id} ${pair.b.id}` })) }
    },
    initialPageParam: `/duplicates?${new URLSearchParams({ kind: kind.name, limit: String(PAIRS_A_PAGE) })}`,
    getNextPageParam: (page: Page<Pair>) => page.next,
    meta: { failure: 'Failed to fetch duplicates' },
  })

/** Stores for everyone that two records are not the same. */
export const dismissPair = (kind: Kind) =>
  mutationOptions({
    mutationFn: ({ a, b }: Pair) => post<void>('/duplicates/dismiss', { a: a.id, b: b.id }),
    onSuccess: (_nothing, dismissed, _result, { client }) => removePair(client, kind, dismissed),
    meta: { failure: 'Failed to mark them as not the same' },
  })

/** Lists the pair again, if both still look the same. */
export const undoDismissal = (kind: Kind) =>
  mutationOptions({
    mutationFn: ([a, b]: [{ id: string }, { id: string }]) => del('/duplicates/dismiss', { a: a.id, b: b.id }),
    onSuccess: (_nothing, _pair, _result, { client }) => client.invalidateQueries({ queryKey: duplicatesKey(kind) }),
    meta: { failure: 'Failed to undo this' },
  })

/** Removes a pair from the cached list. */
const removePair = (client: QueryClient, kind: Kind, { id }: Pair) =>
  client.setQueryData(
    listDuplicates(kind).queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          rows: page.rows.filter((pair) => pair.id !== id),
        })),
      },
  )
