/** What is said of opinions that one may not read yet. */
export const blindSentence = (count: number): string =>
  count === 1 ? '1 opinion. Give yours to read it.' : `${count} opinions. Give yours to read them.`

/** Half numbers have one digit. */
export const summaryOf = (count: number, median: number, spread: number): string =>
  count === 1 ? '1 opinion' : `${count} opinions · median ${median} · spread ${spread}`

/** What is said to the one who asked. */
export const askedSentence = ([first = '', ...others]: string[]): string =>
  others.length === 0 ? `Asked ${first} for an opinion` : `Asked ${others.length + 1} fellows for their opinions`
