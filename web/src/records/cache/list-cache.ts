import type { Query, QueryClient } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { ApiError, getPage } from '#web/lib/http.ts'
import { getRecord, isShort, type listRecords, listsKey } from '#web/records/api.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { firstPageOf, mergeFirstPage, type Pages } from './merge-first-page.ts'
import { orderOf, type RecordQuery } from './record-query.ts'

// Keeps loaded lists up to date record by record, so that a list of 200 pages is never refetched as a whole.

/** The record as a list shows it, until it has been fetched by itself. */
export const findInLists = (client: QueryClient, kind: Kind, id: string): RecordRow | undefined =>
  listsOf(client, kind)
    .flatMap(({ state }) => state.data?.pages.flatMap(({ rows }) => rows) ?? [])
    .find((row) => row.id === id)

/** Updates a record in every list that has it. Short lists that are not on the screen are refetched when shown. */
export const changeInLists = (client: QueryClient, kind: Kind, id: string, news: Partial<RecordRow>) => {
  changeLists(client, listsKey(kind), (list) => ({
    ...list,
    pages: list.pages.map((page) =>
      has(page, id) ? { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...news } : row)) } : page,
    ),
  }))
  void client.invalidateQueries({ queryKey: listsKey(kind), refetchType: 'none' })
}

/** Removes a deleted record from every list. */
export const removeFromLists = (client: QueryClient, kind: Kind, id: string) => {
  changeLists(client, listsKey(kind), (list) =>
    list.pages.some((page) => has(page, id))
      ? {
          ...list,
          pages: list.pages.map(({ rows, total, next }) => ({
            rows: rows.filter((row) => row.id !== id),
            total: oneLess(total),
            next,
          })),
        }
      : list,
  )
  void client.invalidateQueries({ queryKey: listsKey(kind), refetchType: 'none' })
}

/**
 * Refetches a record if a list or a screen has it, and updates it everywhere; any other is refetched when it is shown.
 * Removes it if it has been deleted.
 */
export const refetchRecord = async (client: QueryClient, kind: Kind, id: string) => {
  const record = getRecord(kind, id)
  const isInList = listsOf(client, kind).some(({ state }) => state.data?.pages.some((page) => has(page, id)))
  const isOnScreen = client.getQueryCache().find({ queryKey: record.queryKey })?.isActive()
  if (!isInList && !isOnScreen) return client.invalidateQueries({ queryKey: record.queryKey, refetchType: 'none' })
  try {
    changeInLists(client, kind, id, await client.fetchQuery({ ...record, staleTime: 0 }))
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) removeFromLists(client, kind, id)
  }
}

/** Refetches the top of every affected list, without moving the rows that are being read further down. */
export const refetchLists = (client: QueryClient, kind: Kind, isAffected: (list: RecordQuery) => boolean) => {
  const lists = listsOf(client, kind).filter(({ queryKey: [, , query] }) => isAffected(query))
  return Promise.all(
    lists.map((list) =>
      isShort(list)
        ? client.invalidateQueries({ queryKey: list.queryKey, exact: true })
        : refetchFirstPage(client, list),
    ),
  )
}

/** Cuts every list to its first page, for when too much has changed to update it record by record. */
export const truncateLists = (client: QueryClient, kind: Kind) => changeLists(client, listsKey(kind), firstPageOf)

const refetchFirstPage = async (client: QueryClient, { queryKey, state }: ListQuery) => {
  const [path] = state.data?.pageParams ?? []
  const top = path === undefined ? undefined : await getPage<RecordRow>(path).catch(() => undefined)
  if (top) changeLists(client, queryKey, (list) => mergeFirstPage(list, top, orderOf(queryKey[2])))
}

type ListQuery = Query<Pages<RecordRow>, Error, Pages<RecordRow>, ReturnType<typeof listRecords>['queryKey']>

const listsOf = (client: QueryClient, kind: Kind) =>
  client.getQueryCache().findAll({ queryKey: listsKey(kind) }) as unknown as ListQuery[]

const changeLists = (
  client: QueryClient,
  lists: readonly unknown[],
  change: (list: Pages<RecordRow>) => Pages<RecordRow>,
) => {
  // A next page that is being fetched would restore the list as it was before. Scrolling fetches it again.
  const isNextPage = ({ state }: { state: { fetchMeta: unknown } }) => state.fetchMeta !== null
  void client.cancelQueries({ queryKey: lists, fetchStatus: 'fetching', predicate: isNextPage })
  client.setQueriesData<Pages<RecordRow>>({ queryKey: lists }, (list) => list && change(list))
}

const has = ({ rows }: { rows: RecordRow[] }, id: string) => rows.some((row) => row.id === id)

/** One less than a total. A lower bound such as `1000+` stays the same. */
const oneLess = (total: string | null) =>
  total !== null && /^[1-9]\d*$/.test(total) ? String(Number(total) - 1) : total
