import { setImmediate as otherWork } from 'node:timers/promises'

/** The length of a batch: few enough that other calls hardly wait for it. */
const BATCH = 100

/**
 * Does work on many items a batch at a time, and lets other calls of this process, and other statements of the database,
 * go first between two batches. Not for writes: a transaction must not hold its locks longer.
 */
export async function inBatches<Item, Result>(
  items: Item[],
  work: (batch: Item[]) => Result[] | Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += BATCH) {
    if (from > 0) await otherWork()
    results.push(...(await work(items.slice(from, from + BATCH))))
  }
  return results
}
