import { grouped } from '#web/ui/shown-count.ts'

export type Total = string | null | undefined

/** Adds up totals of the API, such as `12` or `1000+`, for display. Unknown while one of them is unknown. */
export const addTotals = (totals: Total[]) => {
  if (totals.some((total) => total === null || total === undefined)) return undefined
  return `${grouped(sumOf(totals))}${totals.some(isFloor) ? '+' : ''}`
}

/** The same as a number. Unknown also if one of them is a lower bound such as `1000+`. */
export const exactTotal = (totals: Total[]) =>
  totals.some((total) => !total || isFloor(total)) ? undefined : sumOf(totals)

const isFloor = (total: Total) => total?.endsWith('+') ?? false

const sumOf = (totals: Total[]) => totals.reduce((sum, total) => sum + Number.parseInt(total ?? '0', 10), 0)
