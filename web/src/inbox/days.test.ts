import { expect, it } from 'vitest'
import { dayTitle, withDays } from './days.ts'

const now = new Date(2026, 10, 28, 9)
const at = (...of: [number, number, number]) => new Date(...of, 12).toISOString()

it.each([
  [at(2026, 10, 28), /^Today$/],
  [at(2026, 10, 27), /^Yesterday$/],
  [at(2026, 10, 26), /Thursday.*26|26.*Thursday/],
  [at(2025, 10, 27), /2025/],
])('Lines stand by day: %s is %s', (iso, title) => {
  expect(dayTitle(iso, now)).toMatch(title)
})

it('A day begins once, with its newest line', () => {
  const lines = [at(2026, 10, 28), at(2026, 10, 28), at(2026, 10, 27)].map((lastAt) => ({ lastAt }))
  expect(withDays(lines, now).map(({ day }) => day)).toEqual(['Today', undefined, 'Yesterday'])
})
