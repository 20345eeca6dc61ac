import { queryOptions } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import { atLeast, PENDING_AT_LEAST } from '#web/lib/delay.ts'
import { get } from '#web/lib/http.ts'

export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal, client }) => {
    const isKnown = client.getQueryData(['dashboard']) !== undefined
    const answer = get<Dashboard>('/dashboard', { signal })
    return isKnown ? answer : atLeast(PENDING_AT_LEAST, answer)
  },
  // Counts what others do too, so it is asked for again whenever it is opened.
  staleTime: 0,
  meta: { failure: 'Failed to fetch dashboard data' },
})
