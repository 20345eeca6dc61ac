import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { atLeast } from '#web/lib/delay.ts'
import { getPage, type Page } from '#web/lib/http.ts'

/** So long at least does a loading state stay on screen, so that nothing flashes. */
export const PENDING_AT_LEAST = 150

const ROWS_A_PAGE = 50

export const MINE_FAILURE = 'Failed to fetch your records. Please try refreshing the page.'

type ListOptions = {
  key: readonly [string, ...string[]]
  path: string
  search: string
  /** Only what My Records shows. */
  isMine?: boolean
  failure: string
}

/** Whether a list may be asked for again as a whole; a longer one is kept up record by record (see list-cache.ts). */
export const isShort = ({ state }: { state: { data?: unknown } }) =>
  ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) <= 1

/** A list of records, searched and paged. While another search loads, the rows of the last one stay. */
export const listQuery = <Row>({ key, path, search, isMine = false, failure }: ListOptions) =>
  infiniteQueryOptions({
    queryKey: [...key, isMine ? 'mine' : 'all', search],
    queryFn: ({ pageParam, signal, client }) => {
      const isKnown = hasRows(client, key)
      const page = getPage<Row>(pageParam, { signal })
      return isKnown ? page : atLeast(PENDING_AT_LEAST, page)
    },
    initialPageParam: firstPage({ path, search, isMine }),
    getNextPageParam: (page: Page<Row>) => page.next,
    placeholderData: keepPreviousData,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    meta: { failure },
  })

/** Where a list of records begins. */
const firstPage = ({ path, search, isMine = false }: Pick<ListOptions, 'path' | 'search' | 'isMine'>) => {
  const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) })
  if (isMine) query.set('mine', 'true')
  if (search !== '') query.set('search', search)
  return `${path}?${query}`
}

const hasRows = (client: QueryClient, key: readonly string[]) =>
  client.getQueriesData({ queryKey: key }).some(([, data]) => data !== undefined)
