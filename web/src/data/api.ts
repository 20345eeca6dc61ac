import { queryOptions } from '@tanstack/react-query'
import type { NavCounts } from '#contract/nav-counts.ts'
import { get } from '#web/lib/http.ts'

export const navCountsKey = ['nav-counts'] as const

/** The numbers beside the entries of the navigation. A failure is not shown: it only leaves the numbers out. */
export const getNavCounts = queryOptions({
  queryKey: navCountsKey,
  queryFn: ({ signal }) => get<NavCounts>('/nav-counts', { signal }),
})
