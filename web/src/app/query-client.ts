import { type FetchQueryOptions, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError, isOtherAccount } from '#web/lib/http.ts'
import type { listRecords } from '#web/records/api.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * Shown in a toast when the query fails without a sentence from the server. Until there is data, the screen itself
     * shows the failure: then there is a toast only `withScreen`, where the specification has one.
     */
    queryMeta: { failure?: string; withScreen?: true }
    /** Shown when the mutation fails without a sentence from the server. */
    mutationMeta: { failure?: string }
  }
}

/** Network errors and 5xx are retried once; 4xx never. */
const isTransient = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta, state }) => {
      // The page says by itself who is signed in now.
      if (isOtherAccount(error)) return
      if (!meta?.failure || (state.data === undefined && !meta.withScreen)) return
      // Without a network, its bar says that what is shown may be old.
      if (state.data !== undefined && navigator.onLine === false) return
      // One toast when several queries of a page fail for the same reason.
      toasts.failure(error, meta.failure, { once: true })
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _result, { meta }) => meta?.failure && toasts.failure(error, meta.failure),
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && isTransient(error),
      retryDelay: 500,
      staleTime: 15_000,
      // Offline, a call fails immediately with a message, instead of waiting silently.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Fetches data that is not cached yet. The screen itself refetches stale data. */
export const prefetch = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) =>
  void queryClient.prefetchQuery({ ...query, staleTime: 'static' })

/** The same for a list in pages. */
export const prefetchList = (list: { queryKey: QueryKey }) =>
  void queryClient.prefetchInfiniteQuery({
    ...(list as unknown as ReturnType<typeof listRecords>),
    staleTime: 'static',
  })
