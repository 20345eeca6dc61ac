import { describe, expect, it } from 'vitest'
import { addTotals, exactTotal } from './totals.ts'

describe('Totals', () => {
  it.each([
    [['12'], '12'],
    [['12', '3'], '15'],
    [['1000+', '3'], '1,003+'],
    [['1234567'], '1,234,567'],
    [['1', undefined], undefined],
    [[null], undefined],
  ])('%j add up to %j', (totals, sum) => {
    expect(addTotals(totals)).toBe(sum)
  })

  it.each([
    [['12', '3'], 15],
    [['0'], 0],
    [['1000+', '3'], undefined],
    [['1', undefined], undefined],
    [[null], undefined],
  ])('%j are %j as a number', (totals, sum) => {
    expect(exactTotal(totals)).toBe(sum)
  })
})
