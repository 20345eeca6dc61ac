import { describe, expect, it } from 'vitest'
import { AppError } from '#server/http/errors.ts'
import { createFairQueue } from './fair-queue.ts'

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
    const run = createFairQueue()
    const { begun, work, endAll } = createWork()
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => run(name.slice(0, 1), work(name)))
    await tick()
    expect(begun).toEqual(['a1'])
    await endAll()
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('continue after work that has failed', async () => {
    const run = createFairQueue()
    const failing = run('a', () => Promise.reject(new Error('No')))
    const next = run('a', async () => 'done')
    await expect(failing).rejects.toThrow('No')
    expect(await next).toBe('done')
  })

  it('are refused to an account that has too many waiting', async () => {
    const run = createFairQueue()
    const { work, endAll } = createWork()
    const waiting = [run('a', work('1'), 1), run('a', work('2'), 1)]
    await expect(run('a', work('3'), 1)).rejects.toThrow(AppError)
    const other = run('b', work('4'), 1)
    await tick()
    await endAll()
    await Promise.all([...waiting, other])
  })
})
