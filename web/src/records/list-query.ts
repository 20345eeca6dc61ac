import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { atLeast } from '#web/lib/delay.ts'
import { getPage, type Page } from '#web/lib/http.ts'

const ROWS_A_PAGE = 50

/** So long at least does a loading state stay on screen, so that nothing flashes. */
export const PENDING_AT_LEAST = 150

export const MINE_FAILURE = 'Failed to fetch your records. Please try refreshing the page.'

type ListOptions = {
  key: readonly [string, ...string[]]
  path: string
  search: string
  /** Only what My Records shows. */
  isMine?: boolean
  failure: string
}

/** A list of records, searched and paged. While another search loads, the rows of the last one stay. */
export const listQuery = <Row>({ key, path, search, isMine = false, failure }: ListOptions) =>
  infiniteQueryOptions({
    queryKey: [...key, isMine ? 'mine' : 'all', search],
    queryFn: ({ pageParam, signal, client }) => {
      const page = getPage<Row>(pageParam, { signal })
      return hasRows(client, key) ? page : atLeast(PENDING_AT_LEAST, page)
    },
    initialPageParam: firstPage(path, search, isMine),
    getNextPageParam: (page: Page<Row>) => page.next,
    placeholderData: keepPreviousData,
    meta: { failure },
  })

const firstPage = (path: string, search: string, isMine: boolean) => {
  const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) })
  if (isMine) query.set('mine', 'true')
  if (search !== '') query.set('search', search)
  return `${path}?${query}`
}

const hasRows = (client: QueryClient, key: readonly string[]) =>
  client.getQueriesData({ queryKey: key }).some(([, data]) => data !== undefined)
