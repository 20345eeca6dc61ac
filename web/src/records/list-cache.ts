import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError, getPage } from '#web/lib/http.ts'
import { isShort } from './list-query.ts'
import { firstPageOf, mergeFirstPage, type Pages } from './merge-first-page.ts'
import type { recordQuery } from './record-query.ts'
import type { RecordRow } from './record-row.ts'

// Lists that are on the page already are kept as the server has them record by record: a list of two hundred pages is
// never asked for again as a whole.

/** Shows what is new of a record in every list that has it, and has short lists off the screen ask again when shown. */
export const changeInLists = (client: QueryClient, lists: QueryKey, id: string, news: Partial<RecordRow>) => {
  changeLists(client, lists, (list) => ({
    ...list,
    pages: list.pages.map((page) =>
      has(page, id) ? { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...news } : row)) } : page,
    ),
  }))
  void client.invalidateQueries({ queryKey: lists, refetchType: 'none' })
}

/** Takes a record that is no more out of every list. */
export const removeFromLists = (client: QueryClient, lists: QueryKey, id: string) => {
  changeLists(client, lists, (list) =>
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
  void client.invalidateQueries({ queryKey: lists, refetchType: 'none' })
}

/** Asks for one record, if any list or form has it, and puts it in its place everywhere; one that is gone goes. */
export const refetchRecord = async <Row extends RecordRow>(
  client: QueryClient,
  lists: QueryKey,
  record: ReturnType<typeof recordQuery<Row>>,
  id: string,
) => {
  const isInList = listsOf(client, lists).some(({ state }) => state.data?.pages.some((page) => has(page, id)))
  const isInForm = client.getQueryCache().find({ queryKey: record.queryKey })?.isActive()
  if (!isInList && !isInForm) return
  try {
    changeInLists(client, lists, id, await client.fetchQuery({ ...record, staleTime: 0 }))
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) removeFromLists(client, lists, id)
  }
}

/** Asks for what is new at the top of every list, without moving anything that is being read further down. */
export const refetchLists = (client: QueryClient, lists: QueryKey) => {
  const long = listsOf(client, lists).filter((list) => list.state.data && !isShort(list))
  return Promise.all([
    client.invalidateQueries({ queryKey: lists, predicate: isShort }),
    ...long.map((list) => refetchFirstPage(client, list)),
  ])
}

/** Cuts every list to its first page: more has changed than can be told record by record. */
export const truncateLists = (client: QueryClient, lists: QueryKey) => changeLists(client, lists, firstPageOf)

const refetchFirstPage = async (client: QueryClient, { queryKey, state }: ListQuery) => {
  const [path] = state.data?.pageParams ?? []
  const top = path === undefined ? undefined : await getPage<RecordRow>(path).catch(() => undefined)
  if (top) changeLists(client, queryKey, (list) => mergeFirstPage(list, top))
}

type ListQuery = Query<Pages<RecordRow>, Error, Pages<RecordRow>>

const listsOf = (client: QueryClient, lists: QueryKey) =>
  client.getQueryCache().findAll({ queryKey: lists }) as unknown as ListQuery[]

const changeLists = (client: QueryClient, lists: QueryKey, change: (list: Pages<RecordRow>) => Pages<RecordRow>) => {
  // A next page that is on its way would bring the list back as it was when it was asked for. Scrolling asks again.
  const isNextPage = ({ state }: { state: { fetchMeta: unknown } }) => state.fetchMeta !== null
  void client.cancelQueries({ queryKey: lists, fetchStatus: 'fetching', predicate: isNextPage })
  client.setQueriesData<Pages<RecordRow>>({ queryKey: lists }, (list) => list && change(list))
}

const has = ({ rows }: { rows: RecordRow[] }, id: string) => rows.some((row) => row.id === id)

/** A total may be a floor, such as `1000+`, and then stays one. */
const oneLess = (total: string | null) =>
  total !== null && /^[1-9]\d*$/.test(total) ? String(Number(total) - 1) : total
