import { describe, expect, it } from 'vitest'
import { memoize } from './memoize.ts'

describe('The result of a check', () => {
  it('is cached when it is defined, and computed again when it is undefined', () => {
    const asked: string[] = []
    const lengthOf = memoize((text) => {
      asked.push(text)
      return text.length || undefined
    })
    expect([lengthOf('four'), lengthOf('four'), lengthOf(''), lengthOf('')]).toEqual([4, 4, undefined, undefined])
    expect(asked).toEqual(['four', '', ''])
  })

  it('is dropped before the cache fills the memory', () => {
    let asked = 0
    const itself = memoize((text) => {
      asked += 1
      return text
    })
    for (let count = 0; count < 10_001; count += 1) itself(`text ${count}`)
    expect(itself('text 0')).toBe('text 0')
    expect(itself('text 10000')).toBe('text 10000')
    expect(asked).toBe(10_002)
  })
})
