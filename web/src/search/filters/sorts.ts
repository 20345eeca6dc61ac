import type { SortName } from '#web/records/cache/record-query.ts'

/** The sorts as people choose them. */
export const sortWords: Record<SortName, string> = {
  newest: 'Newest',
  rating: 'Highest rated',
  lastNote: 'Latest note',
  stageAge: 'Longest in stage',
}
