import { describe, expect, it } from 'vitest'
import { mergeFirstPage, type Pages, rowsOf } from './merge-first-page.ts'
import { newestFirst } from './newest-first.ts'

type Row = { id: string; createdAt: string }

const row = (at: number) => ({ id: `id-${at}`, createdAt: `2026-01-01T00:00:${String(at).padStart(2, '0')}.000Z` })
const page = (places: number[], next: string | null, total = '9') => ({ rows: places.map(row), next, total })
const list = (...pages: ReturnType<typeof page>[]) => ({
  pages,
  pageParams: ['first', 'second', 'third'].slice(0, pages.length),
})
const placesOf = ({ pages }: Pages<Row>) =>
  pages.map(({ rows }) => rows.map(({ createdAt }) => Number(createdAt.slice(17, 19))))

const long = list(page([9, 8, 7], 'second'), page([6, 5, 4], 'third'), page([3, 2, 1], null))

describe('A list of many pages with a refetched first page', () => {
  it('gets new rows on top, and keeps its rows', () => {
    const renewed = mergeFirstPage(long, page([10, 9, 8], 'new-second', '10'), newestFirst)
    expect(placesOf(renewed)).toEqual([
      [10, 9, 8, 7],
      [6, 5, 4],
      [3, 2, 1],
    ])
    expect(renewed.pages[0]).toMatchObject({ total: '10', next: 'second' })
    expect(renewed.pageParams).toEqual(long.pageParams)
  })

  it('loses deleted rows, and has no row twice', () => {
    expect(placesOf(mergeFirstPage(long, page([9, 7, 6], 'new-second', '8'), newestFirst))).toEqual([
      [9, 7, 6],
      [5, 4],
      [3, 2, 1],
    ])
  })

  it('starts again when the new page has none of its rows', () => {
    const top = page([14, 13, 12], 'new-second')
    expect(mergeFirstPage(long, top, newestFirst)).toEqual({ pages: [top], pageParams: ['first'] })
  })

  it('is that page when there are no further rows', () => {
    const top = page([9], null, '1')
    expect(mergeFirstPage(long, top, newestFirst)).toEqual({ pages: [top], pageParams: ['first'] })
  })

  it('moves a row that has risen to the top from the page where it was', () => {
    const top = { ...page([9, 8], 'new-second'), rows: [row(3), row(9), row(8)] }
    expect(placesOf(mergeFirstPage(long, top, newestFirst))).toEqual([
      [3, 9, 8, 7],
      [6, 5, 4],
      [2, 1],
    ])
  })
})

describe('The rows of a list', () => {
  it('has each record once, in the place of the page that was fetched last', () => {
    expect(
      placesOf({
        ...long,
        pages: [{ ...page([9, 6], null), rows: rowsOf(list(page([9, 6], 'next'), page([7, 6], null)).pages) }],
      }),
    ).toEqual([[9, 7, 6]])
  })
})
