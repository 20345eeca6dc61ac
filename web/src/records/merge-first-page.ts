import type { InfiniteData } from '@tanstack/react-query'
import type { Page } from '#web/lib/http.ts'
import { newestFirst, type Placed } from './newest-first.ts'

export type Pages<Row> = InfiniteData<Page<Row>, string>

export const firstPageOf = <Row>({ pages, pageParams }: Pages<Row>): Pages<Row> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
})

/**
 * A list of many pages with its first page as it is now: what is new comes on top, what has gone goes, and what lies
 * behind that page stays. Where so much is new that nothing of the old is in sight, the list begins again.
 */
export const mergeFirstPage = <Row extends Placed>(list: Pages<Row>, top: Page<Row>): Pages<Row> => {
  const [first, ...others] = list.pages
  const last = top.rows.at(-1)
  const isNew = new Set(top.rows.map(({ id }) => id))
  const goesOn = list.pages.some(({ rows }) => rows.some(({ id }) => isNew.has(id)))
  if (!first || !last || !goesOn || top.next === null) return { ...firstPageOf(list), pages: [top] }

  const behind = (page: Page<Row>) => page.rows.filter((row) => newestFirst(row, last) > 0)
  return {
    ...list,
    pages: [
      { rows: [...top.rows, ...behind(first)], total: top.total, next: first.next },
      ...others.map((page) => ({ ...page, rows: behind(page) })),
    ],
  }
}
