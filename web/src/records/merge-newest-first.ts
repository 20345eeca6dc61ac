import { newestFirst, type Placed } from './newest-first.ts'

/** Rows in the order of their list, and whether there are older ones that have not been loaded. */
type Part<Row> = { rows: Row[]; hasMore: boolean }

/**
 * Several lists as one, newest first, as each of them is. What lies behind the end of a list that goes on is held back:
 * the next page of that list may belong before it. `pinned` rows are held back by nothing.
 */
export const mergeNewestFirst = <Row extends Placed>(parts: Part<Row>[], pinned: Row[]): Row[] => {
  const ends = parts.flatMap(({ rows, hasMore }) => (hasMore ? (rows.at(-1) ?? []) : []))
  return parts
    .flatMap(({ rows }) => rows)
    .filter((row) => ends.every((end) => newestFirst(row, end) <= 0))
    .concat(pinned)
    .sort(newestFirst)
}
