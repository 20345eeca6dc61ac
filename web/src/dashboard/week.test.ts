import { expect, it } from 'vitest'
import { WEEK_COUNT_MAX } from '#contract/limits.ts'
import { weekNote } from './week.ts'

it.each([
  [0, undefined],
  [1, '+1 in seven days'],
  [12, '+12 in seven days'],
  [WEEK_COUNT_MAX, '+200+ in seven days'],
])('The count of %i records that were added in the last week reads: %s', (count, note) => {
  expect(weekNote(count)).toBe(note)
})
