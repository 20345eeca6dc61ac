export type Total = string | null | undefined

/** Totals of the wire, such as `12` or `1000+`, added up for people. Unknown as long as one of them is. */
export const addTotals = (totals: Total[]) => {
  if (totals.some((total) => total === null || total === undefined)) return undefined
  return `${sumOf(totals).toLocaleString('en')}${totals.some(isFloor) ? '+' : ''}`
}

/** The same as a number, unknown also where one of them is a floor. */
export const exactTotal = (totals: Total[]) =>
  totals.some((total) => !total || isFloor(total)) ? undefined : sumOf(totals)

const isFloor = (total: Total) => total?.endsWith('+') ?? false

const sumOf = (totals: Total[]) => totals.reduce((sum, total) => sum + Number.parseInt(total ?? '0', 10), 0)
