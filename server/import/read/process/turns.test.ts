import { describe, expect, it } from 'vitest'
import { AppError } from '#server/http/errors.ts'
import { createTurns } from './turns.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Work that lasts until it is ended, and the order in which it was begun. */
function createWork() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const endAll = async () => {
    for (let at = 0; at < ends.length; at += 1) {
      ends[at]?.()
      await tick()
    }
  }
  return { begun, work, endAll }
}

describe('Turns', () => {
  it('go from account to account, however much one of them has waiting', async () => {
    const inTurn = createTurns()
    const { begun, work, endAll } = createWork()
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => inTurn(name.slice(0, 1), work(name)))
    await tick()
    expect(begun).toEqual(['a1'])
    await endAll()
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('continue after work that has failed', async () => {
    const inTurn = createTurns()
    const failing = inTurn('a', () => Promise.reject(new Error('No')))
    const next = inTurn('a', async () => 'done')
    await expect(failing).rejects.toThrow('No')
    expect(await next).toBe('done')
  })

  it('are refused to an account that has too many waiting', async () => {
    const inTurn = createTurns()
    const { work, endAll } = createWork()
    const waiting = [inTurn('a', work('1'), 1), inTurn('a', work('2'), 1)]
    await expect(inTurn('a', work('3'), 1)).rejects.toThrow(AppError)
    const other = inTurn('b', work('4'), 1)
    await tick()
    await endAll()
    await Promise.all([...waiting, other])
  })
})
