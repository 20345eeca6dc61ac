import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestRatedFirst, lastNoteFirst, longestInStageFirst } from './orders.ts'
import { allRecords, orderOf, type SortName } from './record-query.ts'

const time = fc.constantFrom('2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-03-02T10:00:00.000Z')
const note = fc.record({ createdAt: time })
const row = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  createdAt: time,
  rating: fc.integer({ min: 1, max: 10 }),
  isRated: fc.boolean(),
  notesPreview: fc
    .array(note, { maxLength: 2 })
    .map((notes) => notes.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

/** What each sort orders by, highest first. Between equal ones the newest comes first. A sort without an entry does not compile. */
const RANKS: Record<Exclude<SortName, 'stageAge'>, (row: Row) => number | string> = {
  newest: () => 0,
  rating: ({ rating, isRated }) => (isRated ? rating : 0),
  lastNote: ({ notesPreview: [newest] }) => newest?.createdAt ?? '',
}

describe('The order of a list', () => {
  it.each(Object.keys(RANKS) as (keyof typeof RANKS)[])('by %s is by its value, then by time, then by id', (sort) => {
    const keyOf = (row: Row) => [RANKS[sort](row), row.createdAt, row.id]
    const compare = orderOf({ ...allRecords, sort }) as (one: Row, other: Row) => number
    fc.assert(
      fc.property(row, row, (one, other) => {
        const [a, b] = [keyOf(one), keyOf(other)]
        const at = a.findIndex((value, index) => value !== b[index])
        const expected = at === -1 ? 0 : (a[at] as string) > (b[at] as string) ? -1 : 1
        expect(Math.sign(compare(one, other))).toBe(expected)
        expect(Math.sign(compare(other, one))).toBe(0 - expected)
      }),
    )
  })

  it('has records that are not rated last, and those without a note', () => {
    const base = { id: 'a', createdAt: '2026-03-01T00:00:00.000Z' }
    const best = [
      { ...base, rating: 5, isRated: false },
      { ...base, rating: 1, isRated: true },
    ].sort(bestRatedFirst)
    expect(best.map(({ isRated }) => isRated)).toEqual([true, false])
    const noted = { ...base, notesPreview: [{ createdAt: '2020-01-01T00:00:00.000Z' }] }
    expect([base, noted].sort(lastNoteFirst as never)).toEqual([noted, base])
  })

  it('by the age in the stage has the longest first, those whose time does not run last, and keeps rows of as many days', () => {
    const at = (id: string, daysInStage: number | null, status = 'active') => ({
      ...{ id, createdAt: '2026-03-01T00:00:00.000Z' },
      pipeline: { stage: { id: 's', name: 'Met' }, status, daysInStage },
    })
    const rows = [at('a', 3, 'passed'), at('b', 1), at('c', 9, 'on_hold')]
    expect(rows.sort(longestInStageFirst as never).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    const compare = longestInStageFirst as (one: unknown, other: unknown) => number
    expect(compare(at('a', 2), at('b', 2))).toBeGreaterThan(0)
    expect(compare({ id: 'a', createdAt: '' }, at('b', 0))).toBeGreaterThan(0)
    expect(compare(at('a', 2), at('a', 2))).toBe(0)
  })
})
