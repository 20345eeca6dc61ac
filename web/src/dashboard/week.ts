import { WEEK_COUNT_MAX } from '#contract/limits.ts'

/** How many were added in the last seven days; undefined without any. */
export const weekNote = (count: number): string | undefined =>
  count === 0 ? undefined : `+${count}${count >= WEEK_COUNT_MAX ? '+' : ''} in seven days`
