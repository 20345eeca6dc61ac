/** Totals of the wire, such as `12` or `1000+`, added up. Unknown as long as one of them is. */
export const addTotals = (totals: (string | null | undefined)[]) => {
  if (totals.some((total) => total === null || total === undefined)) return undefined
  const sum = totals.reduce((sum, total) => sum + Number.parseInt(total ?? '0', 10), 0)
  return `${sum.toLocaleString('en')}${totals.some((total) => total?.endsWith('+')) ? '+' : ''}`
}
