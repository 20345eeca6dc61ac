import type { Query, QueryClient } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { ApiError, getPage } from '#web/lib/http.ts'
import { getRecord, isShort, listsKey } from './api.ts'
import { firstPageOf, mergeFirstPage, type Pages } from './merge-first-page.ts'
import type { RecordRow } from './record-row.ts'

// Lists that are on the page already are kept as the server has them record by record: a list of two hundred pages is
// never asked for again as a whole.

/** Shows what is new of a record in every list that has it, and has short lists off the screen ask again when shown. */
export const changeInLists = (client: QueryClient, kind: Kind, id: string, news: Partial<RecordRow>) => {
  changeLists(client, listsKey(kind), (list) => ({
    ...list,
    pages: list.pages.map((page) =>
      has(page, id) ? { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...news } : row)) } : page,
    ),
  }))
  void client.invalidateQueries({ queryKey: listsKey(kind), refetchType: 'none' })
}

/** Takes a record that is no more out of every list. */
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

/** Asks for one record, if any list or form has it, and puts it in its place everywhere; one that is gone goes. */
export const refetchRecord = async (client: QueryClient, kind: Kind, id: string) => {
  const record = getRecord(kind, id)
  const isInList = listsOf(client, listsKey(kind)).some(({ state }) => state.data?.pages.some((page) => has(page, id)))
  const isInForm = client.getQueryCache().find({ queryKey: record.queryKey })?.isActive()
  if (!isInList && !isInForm) return
  try {
    changeInLists(client, kind, id, await client.fetchQuery({ ...record, staleTime: 0 }))
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) removeFromLists(client, kind, id)
  }
}

/** Asks for what is new at the top of every list, without moving anything that is being read further down. */
export const refetchLists = (client: QueryClient, kind: Kind, ...which: [] | ['mine']) => {
  const lists = listsKey(kind, ...which)
  const long = listsOf(client, lists).filter((list) => list.state.data && !isShort(list))
  return Promise.all([
    client.invalidateQueries({ queryKey: lists, predicate: isShort }),
    ...long.map((list) => refetchFirstPage(client, list)),
  ])
}

/** Cuts every list to its first page: more has changed than can be told record by record. */
export const truncateLists = (client: QueryClient, kind: Kind) => changeLists(client, listsKey(kind), firstPageOf)

const refetchFirstPage = async (client: QueryClient, { queryKey, state }: ListQuery) => {
  const [path] = state.data?.pageParams ?? []
  const top = path === undefined ? undefined : await getPage<RecordRow>(path).catch(() => undefined)
  if (top) changeLists(client, queryKey, (list) => mergeFirstPage(list, top))
}

type ListQuery = Query<Pages<RecordRow>, Error, Pages<RecordRow>>

const listsOf = (client: QueryClient, lists: readonly unknown[]) =>
  client.getQueryCache().findAll({ queryKey: lists }) as unknown as ListQuery[]

const changeLists = (
  client: QueryClient,
  lists: readonly unknown[],
  change: (list: Pages<RecordRow>) => Pages<RecordRow>,
) => {
  // A next page that is on its way would bring the list back as it was when it was asked for. Scrolling asks again.
  const isNextPage = ({ state }: { state: { fetchMeta: unknown } }) => state.fetchMeta !== null
  void client.cancelQueries({ queryKey: lists, fetchStatus: 'fetching', predicate: isNextPage })
  client.setQueriesData<Pages<RecordRow>>({ queryKey: lists }, (list) => list && change(list))
}

const has = ({ rows }: { rows: RecordRow[] }, id: string) => rows.some((row) => row.id === id)

/** A total may be a floor, such as `1000+`, and then stays one. */
const oneLess = (total: string | null) =>
  total !== null && /^[1-9]\d*$/.test(total) ? String(Number(total) - 1) : total
