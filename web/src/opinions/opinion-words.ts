/** What is said of opinions that one may not read yet. */
export const blindSentence = (count: number): string =>
  count === 1 ? '1 opinion. Give yours to read it.' : `${count} opinions. Give yours to read them.`

/** Half numbers have one digit. */
export const summaryOf = (count: number, median: number, spread: number): string =>
  count === 1 ? '1 opinion' : `${count} opinions · median ${median} · spread ${spread}`
