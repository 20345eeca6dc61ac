import { expect, it } from 'vitest'
import { isWeek, spanOfWeek, weekAfter, weekOf } from './weeks.ts'

it.each([
  ['2026-11-28T23:59:59Z', '2026-W48', '2026-11-23'],
  ['2026-11-30T00:00:00Z', '2026-W49', '2026-11-30'],
  ['2027-01-03T12:00:00Z', '2026-W53', '2026-12-28'],
  ['2024-12-30T00:00:00Z', '2025-W01', '2024-12-30'],
  ['2021-01-03T00:00:00Z', '2020-W53', '2020-12-28'],
])('%s is in %s, which begins on %s', (moment, week, monday) => {
  expect(weekOf(Date.parse(moment))).toBe(week)
  const [from, until] = spanOfWeek(week)
  expect([new Date(from).toISOString().slice(0, 10), until - from]).toEqual([monday, 7 * 86_400_000])
})

it.each(['2026-W53', '2027-W52', '2026-W01'])('%s is a week', (week) => expect(isWeek(week)).toBe(true))

it.each(['2025-W53', '2026-W54', '2026-W00', '2026-48', '2026-W8', '0001-W01', '2026-W48 ', ''])('%j is none', (text) =>
  expect(isWeek(text)).toBe(false),
)

it('follow each other over the turn of the year', () => {
  expect([weekAfter('2026-W53', 1), weekAfter('2027-W01', -1), weekAfter('2026-W48', 0)]).toEqual([
    ...['2027-W01', '2026-W53', '2026-W48'],
  ])
})
