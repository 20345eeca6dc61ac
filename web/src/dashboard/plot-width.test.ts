import { describe, expect, it } from 'vitest'
import { plotWidth } from './plot-width.ts'

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
