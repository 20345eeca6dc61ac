import { type FetchQueryOptions, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '#web/lib/http.ts'
import type { listRecords } from '#web/records/api.ts'
import { toasts } from '#web/ui/toasts.tsx'

declare module '@tanstack/react-query' {
  interface Register {
    /** What to say when it fails and the server gave no sentence of its own. */
    queryMeta: { failure?: string }
    mutationMeta: { failure?: string }
  }
}

/** A hiccup of the network or the server is worth one more try; an answer that says no is not. */
const isHiccup = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // The same is said once when several queries of a page fail together.
    onError: (error, { meta }) => meta?.failure && toasts.failure(error, meta.failure, { once: true }),
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _result, { meta }) => meta?.failure && toasts.failure(error, meta.failure),
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && isHiccup(error),
      retryDelay: 500,
      staleTime: 15_000,
      // Offline, a call fails at once and says so, instead of waiting in silence.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Asks for what is not here yet. What is here already, the screen itself asks for again when it has to. */
export const prefetch = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) =>
  void queryClient.prefetchQuery({ ...query, staleTime: 'static' })

export const prefetchList = (list: ReturnType<typeof listRecords>) =>
  void queryClient.prefetchInfiniteQuery({ ...list, staleTime: 'static' })
