import { newestFirst, type Placed } from './newest-first.ts'

/** The loaded rows of one list, and whether it has older ones. */
type Part<Row> = { rows: Row[]; hasMore: boolean }

/**
 * Merges several lists into one, newest first. Rows older than the last loaded row of an unfinished list are held back,
 * because the next page of that list may belong before them. `pinned` rows are always shown.
 */
export const mergeNewestFirst = <Row extends Placed>(parts: Part<Row>[], pinned: Row[]): Row[] => {
  const ends = parts.flatMap(({ rows, hasMore }) => (hasMore ? (rows.at(-1) ?? []) : []))
  return parts
    .flatMap(({ rows }) => rows)
    .filter((row) => ends.every((end) => newestFirst(row, end) <= 0))
    .concat(pinned)
    .sort(newestFirst)
}
