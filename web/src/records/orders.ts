import { newestFirst, type Placed } from './newest-first.ts'
import type { RecordRow } from './record-row.ts'

// The orders of lists other than the newest first, as the server has them. Between equals the newest comes first.

type Ranked = Placed & Partial<Pick<RecordRow, 'rating' | 'isRated' | 'notesPreview' | 'pipeline'>>

const byRank = (rankOf: (row: Ranked) => number | string) => (one: Ranked, other: Ranked) => {
  const [a, b] = [rankOf(one), rankOf(other)]
  return Number(b > a) - Number(b < a) || newestFirst(one, other)
}

/** Records without a rating come last. */
export const bestRatedFirst = byRank(({ rating = 0, isRated = true }) => (isRated ? rating : 0))

/** Records without a note by a fellow come last. All times have the same format, so they compare as text. */
export const lastNoteFirst = byRank(({ notesPreview = [] }) => notesPreview[0]?.createdAt ?? '')

/**
 * The longest in their stage first; records without a stage come last. Days are less exact than the server's order, so that a row
 * after one of as many days stays there.
 */
export const longestInStageFirst = (one: Ranked, other: Ranked) =>
  (other.pipeline?.daysInStage ?? -1) - (one.pipeline?.daysInStage ?? -1) || (one.id === other.id ? 0 : 1)
