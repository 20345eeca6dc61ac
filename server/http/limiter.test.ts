import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

/** Work that the test finishes, and a record of the started work. */
function heldWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  return { work, begun, end: (name: string) => ends.get(name)?.() }
}

describe('A limiter', () => {
  it('runs a limited amount of work at the same time, and the rest in order of arrival', async () => {
    const { work, begun, end } = heldWork()
    const limit = createLimiter({ atOnce: 2 })
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => limit(work(name))))
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

  it('continues with the next when one fails', async () => {
    const limit = createLimiter({ atOnce: 1 })
    const failed = limit(() => Promise.reject(new Error('No')))
    const next = limit(async () => 'yes')
    await expect(failed).rejects.toThrow('No')
    expect(await next).toBe('yes')
  })

  it('refuses work when the queue is full', async () => {
    const { work, end } = heldWork()
    const limit = createLimiter({ atOnce: 1, waitingMax: 1 })
    const first = limit(work('a'))
    const second = limit(work('b'))
    await expect(limit(work('c'))).rejects.toMatchObject({ status: 503 })
    end('a')
    await first
    end('b')
    expect(await second).toBe('b')
  })

  it('refuses an owner who already fills a share of the queue, and no other', async () => {
    const { work, begun, end } = heldWork()
    const limit = createLimiter({ atOnce: 1, waitingMax: 3, waitingMaxOfOne: 1 })
    const all = [limit(work('a'), 'me'), limit(work('b'), 'me'), limit(work('c'), 'other')]
    await expect(limit(work('d'), 'me')).rejects.toMatchObject({ status: 503 })
    all.push(limit(work('e')))
    await expect(limit(work('f'))).rejects.toMatchObject({ status: 503 })
    for (const name of ['a', 'b', 'c', 'e']) {
      await expect.poll(() => begun.at(-1)).toBe(name)
      end(name)
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'e'])
  })

  it('gives an owner who waits alone more places than one who waits with others', async () => {
    const { work, begun, end } = heldWork()
    const limit = createLimiter({ atOnce: 1, waitingMax: 5, waitingMaxOfOne: 3, sharedMaxOfOne: 1 })
    const all = ['a', 'b', 'c', 'd'].map((name) => limit(work(name), 'me'))
    await expect(limit(work('no'), 'me')).rejects.toMatchObject({ status: 503 })
    all.push(limit(work('e'), 'other'))
    await expect(limit(work('no'), 'other')).rejects.toMatchObject({ status: 503 })
    for (const name of ['a', 'b', 'c']) {
      await expect.poll(() => begun.at(-1)).toBe(name)
      end(name)
    }
    await all[2]
    // One of `me` runs, and one of `other` waits.
    all.push(limit(work('f'), 'me'))
    await expect(limit(work('no'), 'me')).rejects.toMatchObject({ status: 503 })
    for (const name of ['d', 'e', 'f']) {
      await expect.poll(() => begun.at(-1)).toBe(name)
      end(name)
    }
    await Promise.all(all)
  })

  it('takes places that an owner has beyond its share for others when the queue is full', async () => {
    const { work, end } = heldWork()
    const limit = createLimiter({ atOnce: 1, waitingMax: 3, waitingMaxOfOne: 3, sharedMaxOfOne: 1 })
    const mine = ['a', 'b', 'c', 'd'].map((name) => limit(work(name), 'me').catch(({ status }) => status))
    const others = ['e', 'f'].map((name) => limit(work(name), name))
    await expect(limit(work('no'), 'g')).rejects.toMatchObject({ status: 503 })
    expect(await Promise.all([mine[2], mine[3]])).toEqual([503, 503])
    for (const name of ['a', 'b', 'e', 'f']) {
      end(name)
      await pause(5)
    }
    expect(await Promise.all([mine[0], mine[1], ...others])).toEqual(['a', 'b', 'e', 'f'])
  })

  it('rejects work that waited too long, and still runs the next', async () => {
    const { work, begun, end } = heldWork()
    const limit = createLimiter({ atOnce: 1, withinMs: 50 })
    const first = limit(work('a'))
    await expect(limit(work('late'))).rejects.toMatchObject({ status: 503 })
    const next = limit(work('b'))
    end('a')
    await first
    await expect.poll(() => begun).toEqual(['a', 'b'])
    await pause(60)
    end('b')
    expect(await next).toBe('b')
  })
})
