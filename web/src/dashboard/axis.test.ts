import { describe, expect, it } from 'vitest'
import { integerTicks } from './axis.ts'

describe('The axis of the chart', () => {
  it.each([
    [0, [0, 1, 2, 3, 4, 5]],
    [1, [0, 1, 2, 3, 4, 5]],
    [7, [0, 2, 4, 6, 8]],
    [23, [0, 5, 10, 15, 20, 25]],
    [1_234, [0, 500, 1000, 1500]],
  ])('up to %s has whole numbers only: %j', (max, ticks) => {
    expect(integerTicks(max)).toEqual(ticks)
  })
})
