import { isTimed } from '#contract/status.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { newestFirst, type Placed } from './newest-first.ts'

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

const daysOf = ({ pipeline }: Ranked) =>
  pipeline?.stage && isTimed(pipeline.status) ? (pipeline.daysInStage ?? -1) : -1

/**
 * The longest in their stage first; records whose time does not run come last. Days are less exact than the order of the server,
 * so a row stays after another one of as many days.
 */
export const longestInStageFirst = (one: Ranked, other: Ranked) =>
  daysOf(other) - daysOf(one) || Number(one.id !== other.id)
