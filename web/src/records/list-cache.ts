import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Page } from '#web/lib/http.ts'
import type { RecordRow } from './record-row.ts'

// Changes to lists that are on the page already, before or without asking the server for them again.

type Pages = InfiniteData<Page<RecordRow>>

/** Shows what is new of a record in every list that has it, and has lists off the screen ask again when shown. */
export const changeInLists = (client: QueryClient, lists: QueryKey, id: string, news: Partial<RecordRow>) => {
  const changed = (page: Page<RecordRow>) => ({
    ...page,
    rows: page.rows.map((row) => (row.id === id ? { ...row, ...news } : row)),
  })
  client.setQueriesData<Pages>({ queryKey: lists }, (list) => list && { ...list, pages: list.pages.map(changed) })
  void client.invalidateQueries({ queryKey: lists, refetchType: 'none' })
}

/** Takes a record that is no more out of every list. */
export const removeFromLists = (client: QueryClient, lists: QueryKey, id: string) => {
  client.setQueriesData<Pages>({ queryKey: lists }, (list) =>
    list?.pages.some(({ rows }) => rows.some((row) => row.id === id))
      ? { ...list, pages: list.pages.map((page) => without(page, id)) }
      : list,
  )
  void client.invalidateQueries({ queryKey: lists, refetchType: 'none' })
}

const without = ({ rows, total, next }: Page<RecordRow>, id: string) => ({
  rows: rows.filter((row) => row.id !== id),
  total: oneLess(total),
  next,
})

/** A total may be a floor, such as `1000+`, and then stays one. */
const oneLess = (total: string | null) =>
  total !== null && /^[1-9]\d*$/.test(total) ? String(Number(total) - 1) : total
