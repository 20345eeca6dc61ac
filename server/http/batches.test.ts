import { describe, expect, it } from 'vitest'
import { inBatches } from './batches.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('Work in batches', () => {
  it.each([
    [0, []],
    [100, [100]],
    [250, [100, 100, 50]],
  ])('on %i items is done 100 at a time, in order', async (count, expected) => {
    const lengths: number[] = []
    const results = await inBatches(numbers(count), (batch) => {
      lengths.push(batch.length)
      return batch.map((number) => number * 2)
    })
    expect(lengths).toEqual(expected)
    expect(results).toEqual(numbers(count).map((number) => number * 2))
  })

  it('lets other work of the process go first between two batches', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await inBatches(numbers(200), (batch) => {
      order.push(`from ${batch[0]}`)
      return batch
    })
    expect(order).toEqual(['from 0', 'other', 'from 100'])
  })
})
