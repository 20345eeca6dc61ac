import { queryOptions } from '@tanstack/react-query'
import { NAV_COUNT_MAX } from '#contract/limits.ts'
import type { NavCounts } from '#contract/nav-counts.ts'
import { get } from '#web/lib/http.ts'

export const navCountsKey = ['nav-counts'] as const

/** The numbers beside the entries of the navigation. A failure is not shown: it only leaves the numbers out. */
export const getNavCounts = queryOptions({
  queryKey: navCountsKey,
  queryFn: ({ signal }) => get<NavCounts>('/nav-counts', { signal }),
})

/** Empty for none. */
export const shownCount = (count = 0): string => {
  if (count >= NAV_COUNT_MAX) return `${NAV_COUNT_MAX - 1}+`
  return count === 0 ? '' : String(count)
}
