import { afterAll, describe, expect, it } from 'vitest'
import { killAtEach, type Left as LeftAfter, readCopy, remove } from '#server/test/kill-at-each.ts'
import { createKillWorld, ERASED, type Left, readLeft } from './test/kill-world.ts'

const folders: string[] = []
afterAll(() => folders.forEach(remove))

/** The states after the kills: the number of tables that have the person, and the lines in the file of the ledger. */
function summary(left: LeftAfter<Left>[]) {
  folders.push(...left.map(({ folder }) => folder))
  console.info(left.map(({ state, statements }) => `${JSON.stringify(state)}: ${statements.join()}`))
  return left.map(({ state }) => [state.tables.length > 0, state.entries, state.linesInTable, state.linesInFile])
}

const UNTOUCHED = [true, 0, 0, 0]
const WRITTEN = [true, 0, 0, 1]
const DONE = [false, 1, 1, 1]

describe('kill -9 at every step of an erasure', { timeout: 1_800_000 }, () => {
  it('leaves nothing or everything erased, never half, and after a restart what the ledger names is erased', async () => {
    const { prepare, erase, restart } = createKillWorld()
    const left = await killAtEach({ prepare, act: erase, read: readLeft })
    expect(summary(left)).toEqual([UNTOUCHED, DONE])
    const [untouched, done] = left as [LeftAfter<Left>, LeftAfter<Left>]
    expect(untouched.statements.length).toBeGreaterThan(30)
    await restart(untouched.folder)
    expect(await readCopy(untouched.folder, readLeft)).toEqual(untouched.state)
    await restart(done.folder)
    expect(await readCopy(done.folder, readLeft)).toEqual(ERASED)
  })

  it('and before every statement, where the line of the ledger may be written already', async () => {
    const { prepare, erase, restart } = createKillWorld()
    const left = await killAtEach({ prepare, act: erase, read: readLeft, when: 'before' })
    expect(summary(left)).toEqual([UNTOUCHED, WRITTEN, DONE])
    const [untouched, written] = left as [LeftAfter<Left>, LeftAfter<Left>]
    expect(written.state.tables).toEqual(untouched.state.tables)
    await restart(written.folder)
    expect(await readCopy(written.folder, readLeft)).toEqual(ERASED)
  })
})
