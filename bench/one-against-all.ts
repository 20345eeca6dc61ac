import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { quantile, timed } from '#server/test/figures.ts'
import type { Caller } from './caller.ts'

// How long a fellow waits for a list while another one makes heavy calls, six at a time.

const AT_ONCE = 6

type Body = Record<string, unknown>
type Heavy = { method: string; path: string; body?: Body }

/** The heavy calls of one kind. `next` returns undefined when the world has nothing left for another one. */
export type Attack = { name: string; next: (connection: number, round: number) => Heavy | undefined }

type Known = { founders: string[]; leavers: string[]; erased: string[] }

/** Gives the world what the calls read: pairs, acts and merges, and fellows with many records. */
export async function addHeavyParts(db: Database, manager: string): Promise<Known> {
  await db.execute(sql`
    insert into duplicate_pairs (a, b, kind, reasons, score)
    select least(id, other), greatest(id, other), 'founder', '{name}', 1 from (
      select id, lead(id) over (order by created_at) as other, row_number() over (order by created_at) as place
      from (select id, created_at from records where kind = 'founder' order by created_at desc limit 1200) newest
    ) pairs where place % 2 = 1 and other is not null on conflict do nothing`)
  await db.execute(sql`
    insert into merges (id, kind, survivor_id, duplicate_id, account_id, before, after, moved, swaps_finder)
    select gen_random_uuid(), 'founder', id, id, (select id from accounts where email = ${manager}),
      '{"notes": ""}', '{"notes": "x"}', '{}', false
    from (select id from records where kind = 'founder' order by created_at limit 600) oldest`)
  const founders = await rowsOf<{ id: string }>(
    db,
    sql`select id from records where kind = 'founder' order by id limit ${AT_ONCE * 500}`,
  )
  // Those with the most records come first.
  const fellows = await rowsOf<{ id: string; owned: number }>(
    db,
    sql`select public_id as id from accounts
      join (select account_id, count(*) as owned from record_members where is_owner group by 1) own on account_id = accounts.id
      where role = 'fellow' order by owned desc offset 1`,
  )
  return {
    founders: founders.map(({ id }) => id),
    leavers: fellows.slice(0, AT_ONCE).map(({ id }) => id),
    erased: fellows.slice(AT_ONCE, 2 * AT_ONCE).map(({ id }) => id),
  }
}

const PERSON = { names: ['Maria Garcia', 'Gonzalez Perez'], linkedIn: 'https://www.linkedin.com/in/maria-garcia' }

export function attacksOn({ founders, leavers, erased }: Known): Attack[] {
  const read = (path: string) => () => ({ method: 'GET', path })
  const once = (people: string[], of: (id: string) => Heavy) => {
    const left = [...people]
    return () => {
      const id = left.shift()
      return id === undefined ? undefined : of(id)
    }
  }
  return [
    { name: 'quality=duplicate&limit=500', next: read('/founders?quality=duplicate&limit=500') },
    { name: 'duplicates?limit=500', next: read('/duplicates?kind=founder&limit=500') },
    { name: 'changes?limit=500', next: read('/changes?limit=500') },
    {
      name: 'bulk of 500',
      next: (connection, round) => ({
        method: 'POST',
        path: '/records/bulk',
        body: {
          ids: founders.slice(connection * 500, (connection + 1) * 500),
          set: { responsible: round % 2 === 0 ? (leavers.at(-1) as string) : null },
        },
      }),
    },
    {
      name: 'search for a person',
      next: () => ({ method: 'POST', path: '/programme/privacy/search', body: PERSON }),
    },
    {
      name: 'leaving',
      next: once(leavers, (id) => ({ method: 'POST', path: '/programme/people/leave', body: { ids: [id] } })),
    },
    {
      name: 'erasing a fellow',
      next: once(erased, (id) => ({ method: 'POST', path: `/programme/people/${id}/erase` })),
    },
  ]
}

type Waits = { name: string; p50: number; p99: number; max: number; lists: number; served: number; failed: number }

/** Measures the lists of `other` for a while, beside the heavy calls. Ends early when these are done. */
export async function measureBeside(
  url: string,
  attack: Attack,
  { attackers, other, seconds }: { attackers: Caller[]; other: Caller; seconds: number },
): Promise<Waits> {
  const until = Date.now() + seconds * 1000
  let [served, failed, open] = [0, 0, AT_ONCE]
  const load = Array.from({ length: AT_ONCE }, async (_, connection) => {
    const { headers } = attackers[connection % attackers.length] as Caller
    for (let round = 0; Date.now() < until; round += 1) {
      const heavy = attack.next(connection, round)
      if (heavy === undefined) break
      const answer = await fetch(`${url}/api${heavy.path}`, {
        method: heavy.method,
        headers,
        signal: AbortSignal.timeout(seconds * 1000 + 60_000),
        ...(heavy.body && { body: JSON.stringify(heavy.body) }),
        ...(heavy.method === 'POST' && !heavy.body && { body: '{}' }),
      })
      await answer.arrayBuffer()
      if (answer.ok) served += 1
      else failed += 1
      // A refused call would come again at once.
      if (!answer.ok) await pause(100)
    }
    open -= 1
  })
  const waits: number[] = []
  while (open > 0 && Date.now() < until) {
    waits.push((await timed(() => other.page('/api/founders'))).ms)
    await pause(50)
  }
  await Promise.all(load)
  const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)]
  return { name: attack.name, p50, p99, max: Math.max(...waits), lists: waits.length, served, failed }
}
