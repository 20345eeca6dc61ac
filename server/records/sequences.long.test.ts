import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '#server/test/test-app.ts'
import { ACTS, operations } from './test/sequences/acts.ts'
import { explore } from './test/sequences/explore.ts'
import { createSavedStates } from './test/sequences/saved-states.ts'
import { makeSmallWorld } from './test/sequences/world.ts'

/** A case of three took 100 minutes, its 170,000 sequences one after the other; `SEQUENCE=2` takes three. */
const LENGTH = Number(process.env.SEQUENCE ?? 3)

it.each([
  ['without a manager', false],
  ['with a manager', true],
])(
  'No sequence of up to three acts of a fellow leads to a `DELETE` without a right to it, %s',
  { timeout: 6 * 3_600_000 },
  async (which, hasManager) => {
    const test = await startTestApp()
    onTestFinished(() => test.close())
    const world = await makeSmallWorld(test, { hasManager })
    const saved = await createSavedStates(test.db, LENGTH)
    const { sequences, states, done, faults } = await explore(world, saved, { acts: ACTS, length: LENGTH })
    const many = (number: number) => number.toLocaleString('en')
    process.stdout.write(`Sequences of ${LENGTH} ${which}: ${many(sequences)} done, ${many(states)} states checked\n`)
    expect(faults).toEqual([])
    expect(done).toEqual(operations)
  },
)
