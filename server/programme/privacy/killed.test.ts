import { expect, it } from 'vitest'
import { killOnce, readCopy, remove } from '#server/test/kill-at-each.ts'
import { createKillWorld, ERASED, readLeft } from './test/kill-world.ts'

// Every other step is in kill.long.test.ts. On PostgreSQL, ledger.test.ts ends the transaction in the same place.
it('kill -9 between the line of the ledger and the commit of an erasure leaves everything, and the next start erases it', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const { prepare, erase, restart } = createKillWorld()
  const folder = await killOnce({ prepare, act: erase, at: 'ledger' })
  const left = await readCopy(folder, readLeft)
  expect(left).toEqual({ tables: expect.any(Array), entries: 0, linesInTable: 0, linesInFile: 1 })
  expect(left.tables.length).toBeGreaterThan(5)
  await restart(folder)
  expect(await readCopy(folder, readLeft)).toEqual(ERASED)
  remove(folder)
})
