import { describe, expect, it } from 'vitest'
import { integerTicks, plotWidth } from './axis.ts'

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

describe('The width of the plot', () => {
  it.each([
    [800, 1],
    [800, 8],
    [290, 3],
  ])('is the available width, %i pixels, when %i fellows fit', (width, fellows) => {
    expect(plotWidth(width, fellows)).toBe(width)
  })

  it.each([
    [290, 4],
    [290, 8],
    [800, 60],
    [100, 2],
  ])('shows that it scrolls: at %i pixels the edge cuts one of %i fellows in half', (width, fellows) => {
    const group = plotWidth(width, fellows) / fellows
    expect((width / group) % 1).toBeCloseTo(0.5)
    expect(plotWidth(width, fellows)).toBeGreaterThan(width)
  })
})
