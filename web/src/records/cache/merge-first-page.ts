import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '#web/lib/http.ts'
import type { Placed } from './newest-first.ts'

export type Pages<Row> = InfiniteData<Page<Row>, string>

export const firstPageOf = <Row>({ pages, pageParams }: Pages<Row>): Pages<Row> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
})

/**
 * Merges a fresh first page into a list of many pages: new rows are added on top, deleted ones removed, and the rows
 * after that page stay, except those that have moved into it. If the fresh page has no row in common with the list, the list starts again.
 */
export const mergeFirstPage = <Row extends Placed>(
  list: Pages<Row>,
  top: Page<Row>,
  compare: (one: Row, other: Row) => number,
): Pages<Row> => {
  const [first, ...others] = list.pages
  const last = top.rows.at(-1)
  const isNew = new Set(top.rows.map(({ id }) => id))
  const goesOn = list.pages.some(({ rows }) => rows.some(({ id }) => isNew.has(id)))
  if (!first || !last || !goesOn || top.next === null) return { ...firstPageOf(list), pages: [top] }

  const behind = (page: Page<Row>) => page.rows.filter((row) => compare(row, last) > 0 && !isNew.has(row.id))
  return {
    ...list,
    pages: [
      { rows: [...top.rows, ...behind(first)], total: top.total, next: first.next },
      ...others.map((page) => ({ ...page, rows: behind(page) })),
    ],
  }
}

/** The rows of all pages. A record that has moved on while a list was scrolled is in two pages: the later one is right. */
export const rowsOf = <Row extends { id: string }>(pages: Page<Row>[]): Row[] => {
  const rows = pages.flatMap((page) => page.rows)
  const lastPlaces = new Map(rows.map(({ id }, place) => [id, place]))
  return lastPlaces.size === rows.length ? rows : rows.filter(({ id }, place) => lastPlaces.get(id) === place)
}
