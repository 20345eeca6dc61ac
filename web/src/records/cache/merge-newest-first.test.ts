import { describe, expect, it } from 'vitest'
import { mergeNewestFirst } from './merge-newest-first.ts'

const at = (...minutes: number[]) =>
  minutes.map((minute) => ({
    id: `id-${minute}`,
    createdAt: `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  }))

const minutesOf = (rows: { id: string }[]) => rows.map(({ id }) => Number(id.slice(3)))

describe('Lists merged into one', () => {
  it('are newest first', () => {
    const merged = mergeNewestFirst(
      [
        { rows: at(50, 30, 10), hasMore: false },
        { rows: at(40, 20), hasMore: false },
      ],
      [],
    )
    expect(minutesOf(merged)).toEqual([50, 40, 30, 20, 10])
  })

  it('hold back rows that may belong after rows that are not loaded yet', () => {
    const merged = mergeNewestFirst(
      [
        { rows: at(50, 30), hasMore: true },
        { rows: at(40, 20, 10), hasMore: false },
      ],
      [],
    )
    expect(minutesOf(merged)).toEqual([50, 40, 30])
  })

  it('hold back rows older than those of the shortest loaded list', () => {
    const merged = mergeNewestFirst(
      [
        { rows: at(50, 45), hasMore: true },
        { rows: at(40, 20), hasMore: true },
      ],
      [],
    )
    expect(minutesOf(merged)).toEqual([50, 45])
  })

  it('have a stable order also with equal times', () => {
    const createdAt = '2026-03-01T10:00:00.000Z'
    const merged = mergeNewestFirst(
      [
        { rows: [{ id: 'a', createdAt }], hasMore: false },
        { rows: [{ id: 'b', createdAt }], hasMore: false },
      ],
      [],
    )
    expect(merged.map(({ id }) => id)).toEqual(['b', 'a'])
  })

  it('show pinned rows in their position, also among held back rows', () => {
    const merged = mergeNewestFirst([{ rows: at(50, 30), hasMore: true }], at(40, 10))
    expect(minutesOf(merged)).toEqual([50, 40, 30, 10])
  })

  it('may be empty', () => {
    expect(mergeNewestFirst([{ rows: [], hasMore: false }], [])).toEqual([])
  })
})
