import { NAV_COUNT_MAX } from '#contract/limits.ts'

/** The number of a count that stops at `NAV_COUNT_MAX`, as text; empty for none. */
export const shownCount = (count = 0): string => {
  if (count >= NAV_COUNT_MAX) return `${NAV_COUNT_MAX - 1}+`
  return count === 0 ? '' : String(count)
}
