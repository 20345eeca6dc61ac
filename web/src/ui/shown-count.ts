import { NAV_COUNT_MAX } from '#contract/limits.ts'

/** The number of a count that stops at `NAV_COUNT_MAX`, as text; empty for none. */
export const shownCount = (count = 0): string => {
  if (count >= NAV_COUNT_MAX) return `${NAV_COUNT_MAX - 1}+`
  return count === 0 ? '' : String(count)
}

/** With commas between thousands. The first number that `toLocaleString` formats costs a phone some 150 ms. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
