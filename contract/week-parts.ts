/** The parts of the list of a week, in its order. `of` says what its numbers are by. */
export const weekParts = {
  new: { title: 'New', of: 'stage', about: 'Records that were added, by their stage as of now' },
  moved: { title: 'Moved', of: 'stage', about: 'Records that came into a stage for the first time' },
  advanced: { title: 'Advanced', of: null, about: 'Records that were advanced, and still are' },
  passed: { title: 'Passed', of: 'reason', about: 'Records that were passed, and still are, by reason' },
  back: { title: 'Back on the table', of: null, about: 'Passed records whose day to look again is in the week' },
  spread: {
    ...{ title: 'Widest spread', of: null },
    about: 'Records whose opinions were revealed, by the difference of the highest and the lowest',
  },
  found: { title: 'Found by', of: 'fellow', about: 'Records that were added, by who found them first' },
  late: {
    title: 'Late next steps',
    of: 'fellow',
    about: 'Records whose next step was due before today, by responsible fellow',
  },
} as const satisfies Record<string, { title: string; of: 'stage' | 'reason' | 'fellow' | null; about: string }>

/** What the number beside a record says. */
export const weekNumberWords = (part: WeekPartName, number: number): string =>
  part === 'late' ? `${number} ${number === 1 ? 'day' : 'days'} late` : `differ by ${number}`

export type WeekPartName = keyof typeof weekParts
export const weekPartNames = Object.keys(weekParts) as WeekPartName[]
