import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { type Act, CHANGE_NO_RECORD } from './acts.ts'
import type { SavedStates } from './saved-states.ts'
import type { World } from './world.ts'

type Stored = { id: string; isLive: boolean; isDeleted: boolean; isKept: boolean; path: string; members: string[] }

/** Does an act, and waits for the job that it starts. Returns whether it was done. */
export async function perform(world: World, { run, isJob }: Act): Promise<boolean> {
  const answer = await run(world)
  if (answer === undefined) return false
  expect(answer.status, answer.text).not.toBe(400)
  expect(answer.status, answer.text).toBeLessThan(500)
  if (answer.status >= 300) return false
  if (isJob) await expect.poll(() => isWorking(world), { timeout: 30_000, interval: 15 }).toBe(false)
  return true
}

async function isWorking({ test }: World): Promise<boolean> {
  const [row] = await rowsOf<{ isWorking: boolean }>(
    test.db,
    sql`select exists (select from imports where state in ('reading', 'running', 'reverting'))
      or exists (select from pgboss.job where name like 'import%' and state in ('created', 'active', 'retry')) as "isWorking"`,
  )
  return row?.isWorking ?? true
}

/** Whether the fellow may delete a record: all that it unites is the fellow's, or it alone, of an unknown creator. */
function mayDelete({ own, unknown, foreign, hasManager }: World, { members }: Stored): boolean {
  const isOwn = (id: string) => own.has(id) || !(unknown.has(id) || foreign.has(id))
  const isUnknownAlone = members.length === 1 && unknown.has(members[0] as string)
  return members.every(isOwn) || (isUnknownAlone && !hasManager)
}

/**
 * What the fellow can delete without a right to, and what of others is gone. With `triesAll` by each `DELETE` too, which
 * changes nothing where all is well.
 */
export async function findFaults(world: World, { triesAll }: { triesAll: boolean }): Promise<string[]> {
  const { client, foreign, foreignNotes, unknown, hasManager, test } = world
  const stored = await rowsOf<Stored>(
    test.db,
    sql`select id, kind not like '%-%' as "isLive", deleted_at is not null as "isDeleted",
        case when kind like '%founder' then 'founders' else 'companies' end as path,
        (select root.deleted_at is null from records root where root.id = merged_root(records.id)) as "isKept",
        array(select tree.id from merged_tree(records.id) tree) as members
      from records`,
  )
  const faults: string[] = []
  const deletable = new Set<string>()
  for (const path of ['founders', 'companies']) {
    const list: { id: string; can: { delete: boolean } }[] = (await client.get(`/api/${path}?limit=500`)).body
    for (const { id, can } of list) if (can.delete) deletable.add(id)
  }
  for (const record of stored.filter(({ isDeleted }) => !isDeleted)) {
    if (record.isLive && mayDelete(world, record)) continue
    if (deletable.has(record.id)) faults.push(`${nameOf(world, record.id)} may be deleted by \`can\``)
    if (!triesAll) continue
    const { status } = await client.delete(`/api/${record.path}/${record.id}`)
    if (status < 300) faults.push(`${nameOf(world, record.id)} could be deleted`)
  }
  const kept = new Set(stored.filter(({ isKept }) => isKept).map(({ id }) => id))
  const guarded = [...foreign, ...(hasManager ? unknown : [])]
  for (const id of guarded) if (!kept.has(id)) faults.push(`${nameOf(world, id)} is gone`)
  const notes = await rowsOf<{ id: string }>(test.db, sql`select id from notes`)
  for (const id of foreignNotes) if (!notes.some((note) => note.id === id)) faults.push("another's note is gone")
  return faults
}

const nameOf = ({ founders, company }: World, id: string): string =>
  Object.entries(founders).find(([, founder]) => founder === id)?.[0] ?? (id === company ? 'the company' : id)

export type Explored = {
  /** Sequences that were done to their last act. */
  sequences: number
  /** Different states that were checked. */
  states: number
  /** The calls that were done. */
  done: Set<string>
  faults: string[]
}

/**
 * Does all sequences of these acts up to a length, and checks the world after each. A sequence ends with the first act that
 * is refused, because that changes nothing; a state that was reached before is not gone on from again. Restores the world.
 */
export async function explore(
  world: World,
  saved: SavedStates,
  options: {
    acts: Act[]
    length: number
    isChosen?: (sequence: Act[]) => boolean
    /** Whether every `DELETE` is tried after this sequence. */
    triesAll?: (sequence: Act[]) => boolean
  },
): Promise<Explored> {
  const { acts, length, isChosen = () => true, triesAll = () => true } = options
  const known = await saved.ids()
  const reached = new Map<string, number>()
  const explored: Explored = { sequences: 0, states: 0, done: new Set(), faults: [] }

  async function from(before: Act[]): Promise<void> {
    const depth = before.length
    await saved.save(depth)
    for (const next of acts) {
      const sequence = [...before, next]
      const isLast = sequence.length === length
      if (isLast && CHANGE_NO_RECORD.includes(next.operationId)) continue
      if (!isChosen(sequence)) continue
      if (!(await perform(world, next))) continue
      explored.sequences += 1
      explored.done.add(next.operationId)
      const state = await saved.fingerprint(known)
      const earlier = reached.get(state)
      if (earlier === undefined) {
        explored.states += 1
        const faults = await findFaults(world, { triesAll: triesAll(sequence) })
        const names = sequence.map(({ what }) => what).join(' → ')
        explored.faults.push(...faults.map((fault) => `${names}: ${fault}`))
      }
      if (earlier === undefined || earlier > sequence.length) {
        reached.set(state, sequence.length)
        if (!isLast) await from(sequence)
      }
      await saved.restore(depth)
    }
  }

  reached.set(await saved.fingerprint(known), 0)
  await from([])
  return explored
}
