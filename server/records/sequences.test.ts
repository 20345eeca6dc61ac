import { describe, expect, it, onTestFinished } from 'vitest'
import { BODY, bodyOf, everyCall, isChange } from '#server/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp } from '#server/test/test-app.ts'
import { ACTS, type Act, operations } from './test/sequences/acts.ts'
import { explore } from './test/sequences/explore.ts'
import { createSavedStates } from './test/sequences/saved-states.ts'
import { makeSmallWorld } from './test/sequences/world.ts'

// `sequences.long.test.ts` does all sequences of three. Here: each act, a share of the pairs of those that matter most for
// rights, and others by chance.

const SEED = Number(process.env.SEED ?? 1)
/** The share of the pairs of the most important acts, of the other pairs, and of the third acts after each pair. */
const [IMPORTANT, PAIRS, TRIPLES] = [0.01, 0.000_15, 0.000_05]

const MOST_IMPORTANT = [
  'add a founder',
  ...['addFinder foreign', 'addFinder unknown', 'addFinder united', 'deleteFinder unknown'],
  ...['createFounderNote foreign', 'createFounderNote unknown'],
  ...['merge foreign into own', 'merge own into foreign', 'merge unknown into own', 'merge own into unknown'],
  ...['delete the newest note', 'undo the newest merge', "undo another's merge", 'deleteFounder own'],
  ...['runImport updating', 'revertImport imported', 'merge foreign into added'],
]

/** Its second act is possible after no act that is done alone. */
const ALWAYS = 'createFounderNote foreign, delete the newest note'

/** Acts on accounts and sign-in, besides those that change the name of one's own or ask for another address. */
const isElsewhere = ({ tags, operationId }: { tags?: string[]; operationId?: string }) =>
  operationId === 'confirmAddressChange' ||
  tags?.includes('Sign-in') ||
  (tags?.includes('Account') && !/^update|address|email/i.test(operationId ?? ''))

/** Numbers from 0 to 1 that are the same in each run. */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe('The acts that are done in sequences', () => {
  it('are all calls that change records and are open to every fellow', async () => {
    const test = await startTestApp()
    onTestFinished(() => test.close())
    const { client } = await fellowOf(test)
    const open: string[] = []
    for (const call of (await everyCall(client)).filter(isChange)) {
      const { method, path, operation } = call
      const url = path.replaceAll(/\{\w+\}/g, BODY.a)
      // A call of the programme is for managers only, so it is 403 for a fellow.
      const isForManagers =
        operation.tags?.includes('Programme') && (await client.call(method, url, { body: bodyOf(call) })).status === 403
      if (!isElsewhere(operation) && !isForManagers) open.push(operation.operationId ?? path)
    }
    expect([...new Set(ACTS.map(({ operationId }) => operationId))].sort()).toEqual(open.sort())
  })

  it('have names of their own, which this file uses', () => {
    const names = ACTS.map(({ what }) => what)
    expect(new Set(names).size).toBe(names.length)
    expect([...MOST_IMPORTANT, ...ALWAYS.split(', ')].filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('No act of a fellow, alone or in a sequence, leads to a `DELETE` without a right to it', () => {
  it('with a manager', { timeout: 300_000 }, () => expectNoFault(true))
  it('without a manager', { timeout: 300_000, tags: 'slow' }, () => expectNoFault(false))

  async function expectNoFault(hasManager: boolean) {
    const test = await startTestApp()
    onTestFinished(() => test.close())
    const world = await makeSmallWorld(test, { hasManager })
    const saved = await createSavedStates(test.db, 3)
    const chance = createChance(hasManager ? SEED : SEED + 1)
    const isImportant = ({ what }: Act) => MOST_IMPORTANT.includes(what)
    const isChosen = (sequence: Act[]) => {
      if (sequence.length === 1 || sequence.map(({ what }) => what).join(', ') === ALWAYS) return true
      return chance() < (sequence.length > 2 ? TRIPLES : sequence.every(isImportant) ? IMPORTANT : PAIRS)
    }
    const triesAll = (sequence: Act[]) => chance() < (sequence.length === 1 ? 0.15 : 0.05)
    const explored = await explore(world, saved, { acts: ACTS, length: 3, isChosen, triesAll })
    expect(explored.faults).toEqual([])
    expect(explored.done).toEqual(operations)
  }
})
