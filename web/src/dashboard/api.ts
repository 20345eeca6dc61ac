import { queryOptions } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import { get } from '#web/lib/http.ts'

export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => get<Dashboard>('/dashboard', { signal }),
  // It includes changes by others, so it is refetched whenever it is opened.
  staleTime: 0,
  meta: { failure: 'Failed to fetch dashboard data', withScreen: true },
})
