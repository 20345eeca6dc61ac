import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTurns } from './turns.ts'

/** Work that ends when it is told to, and what has begun of it. */
function heldWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  return { work, begun, end: (name: string) => ends.get(name)?.() }
}

describe('Turns', () => {
  it('run so many at once, and the others in the order in which they came', async () => {
    const { work, begun, end } = heldWork()
    const turn = openTurns({ atOnce: 2 })
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => turn(work(name))))
    expect(begun).toEqual(['a', 'b'])
    for (const [ended, next] of [
      ['b', 'c'],
      ['a', 'd'],
    ]) {
      end(ended as string)
      await expect.poll(() => begun.at(-1)).toBe(next)
    }
    for (const name of ['c', 'd']) end(name)
    expect(await all).toEqual(['a', 'b', 'c', 'd'])
  })

  it('go on to the next when one fails', async () => {
    const turn = openTurns({ atOnce: 1 })
    const failed = turn(() => Promise.reject(new Error('No')))
    const next = turn(async () => 'yes')
    await expect(failed).rejects.toThrow('No')
    expect(await next).toBe('yes')
  })

  it('are refused to more than may wait', async () => {
    const { work, end } = heldWork()
    const turn = openTurns({ atOnce: 1, waitingMax: 1 })
    const first = turn(work('a'))
    const second = turn(work('b'))
    await expect(turn(work('c'))).rejects.toMatchObject({ status: 503 })
    end('a')
    await first
    end('b')
    expect(await second).toBe('b')
  })

  it('are refused to an owner who has a share of the waiting already, and not to others', async () => {
    const { work, begun, end } = heldWork()
    const turn = openTurns({ atOnce: 1, waitingMax: 3, waitingMaxOfOne: 1 })
    const all = [turn(work('a'), 'me'), turn(work('b'), 'me'), turn(work('c'), 'other')]
    await expect(turn(work('d'), 'me')).rejects.toMatchObject({ status: 503 })
    all.push(turn(work('e')))
    await expect(turn(work('f'))).rejects.toMatchObject({ status: 503 })
    for (const name of ['a', 'b', 'c', 'e']) {
      await expect.poll(() => begun.at(-1)).toBe(name)
      end(name)
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'e'])
  })

  it('are given up after a time, and the next in line is not kept from its own', async () => {
    const { work, begun, end } = heldWork()
    const turn = openTurns({ atOnce: 1, withinMs: 50 })
    const first = turn(work('a'))
    await expect(turn(work('late'))).rejects.toMatchObject({ status: 503 })
    const next = turn(work('b'))
    end('a')
    await first
    await expect.poll(() => begun).toEqual(['a', 'b'])
    await pause(60)
    end('b')
    expect(await next).toBe('b')
  })
})
