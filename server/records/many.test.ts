import { describe, expect, it } from 'vitest'
import { openMany } from './many.ts'

describe('Searches known to find more than are counted', () => {
  it('are known once they were counted', () => {
    const many = openMany()
    expect(many.has('a')).toBe(false)
    many.watch()('a')
    expect([many.has('a'), many.has('b')]).toEqual([true, false])
  })

  it('are forgotten when a record changes', () => {
    const many = openMany()
    many.watch()('a')
    many.forget()
    expect(many.has('a')).toBe(false)
  })

  it('are not known when a record changed while they were counted', () => {
    const many = openMany()
    const add = many.watch()
    many.forget()
    add('a')
    expect(many.has('a')).toBe(false)
  })

  it('do not fill the memory', () => {
    const many = openMany()
    const add = many.watch()
    for (let count = 0; count <= 10_000; count += 1) add(String(count))
    expect([many.has('0'), many.has('10000')]).toEqual([false, true])
  })
})
