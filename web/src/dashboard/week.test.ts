import { describe, expect, it } from 'vitest'
import { kinds } from '#contract/kinds.ts'
import { WEEK_COUNT_MAX } from '#contract/limits.ts'
import { weekSentence } from './week.ts'

describe('The line about this week', () => {
  it.each([
    [0, 0, 'Nothing was added in the last 7 days.'],
    [1, 0, 'Fellows added 1 founder in the last 7 days.'],
    [0, 2, 'Fellows added 2 companies in the last 7 days.'],
    [12, 1, 'Fellows added 12 founders and 1 company in the last 7 days.'],
    [WEEK_COUNT_MAX, 3, 'Fellows added 200+ founders and 3 companies in the last 7 days.'],
  ])('with %i founders and %i companies is: %s', (founders, companies, sentence) => {
    expect(weekSentence({ founders, companies }, kinds)).toBe(sentence)
  })
})
