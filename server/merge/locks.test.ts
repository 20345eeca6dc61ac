import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { companyKind } from '#server/companies/kind.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { links } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { factoryOf } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { mergeRecords, undoMerge } from './store.ts'

const LINKS = 5

let test: TestApp
let account: Awaited<ReturnType<typeof fellowOf>>['account']
beforeAll(async () => {
  test = await startTestApp({}, undefined, undefined, { connections: 10 })
  account = (await fellowOf(test)).account
})
afterAll(() => test.close())

/** Two founders or companies. Each act is one transaction. */
async function makeSide(kind: typeof founderKind | typeof companyKind) {
  const make = factoryOf(kind.name)
  const [survivor, duplicate] = [await make(test.db, { creator: account }), await make(test.db, { creator: account })]
  const mergeId = uuidv7()
  const versions = { [survivor.id]: 1, [duplicate.id]: 1 }
  const input = { survivorId: survivor.id, duplicateId: duplicate.id, versions, choices: {}, canChoose: true }
  return {
    ...{ survivor, duplicate },
    merge: (tx: Database) => mergeRecords(tx, kind, account, mergeId, input),
    undo: (tx: Database) => undoMerge(tx, kind, account, { id: mergeId }),
  }
}

/** What PostgreSQL may read links by: an index, which has the newest first, or the table, which has the oldest first. */
const PLANS = { index: ['seqscan', 'bitmapscan'], table: ['indexscan', 'bitmapscan'] } as const
type Plan = keyof typeof PLANS

const act = (work: (tx: Database) => Promise<unknown>, plan: Plan = 'index') =>
  withActor(test.db, account, async (tx) => {
    for (const method of PLANS[plan]) await tx.execute(sql.raw(`set local enable_${method} = off`))
    return work(tx)
  })

const countWaiting = async () => {
  const [row] = await rowsOf<{ count: number }>(
    test.db,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count
}

/** Starts both while one of the links is locked, so that each holds the links that it reads before that one. */
async function startTogether(linkId: string, acts: (() => Promise<unknown>)[]) {
  let done: Promise<unknown>[] = []
  await test.db.transaction(async (tx: Database) => {
    await tx.select().from(links).where(eq(links.id, linkId)).for('update')
    done = acts.map((start) => start())
    await expect.poll(countWaiting).toBe(acts.length)
  })
  return Promise.allSettled(done)
}

const CASES = [
  { founders: 'merge', companies: 'merge' },
  { founders: 'undo', companies: 'merge' },
  { founders: 'merge', companies: 'undo' },
  { founders: 'undo', companies: 'undo' },
] as const

describe('Links of two founders and two companies', () => {
  it.each(CASES)(
    'are moved without a deadlock, in whatever order each act reads them: $founders of founders, $companies of companies',
    { tags: 'slow' },
    async (acts) => {
      for (const [ofFounders, ofCompanies] of [
        ['index', 'table'],
        ['table', 'index'],
      ] as const) {
        const [founders, companies] = [await makeSide(founderKind), await makeSide(companyKind)]
        // Merges may have brought several links of one pair together.
        const rows = Array.from({ length: LINKS }, (_, day) => ({
          ...{ id: uuidv7(), founderId: founders.duplicate.id, companyId: companies.duplicate.id },
          createdAt: new Date(Date.UTC(2026, 0, day + 1)),
        }))
        await test.db.insert(links).values(rows)
        if (acts.founders === 'undo') await act(founders.merge)
        if (acts.companies === 'undo') await act(companies.merge)
        const middle = rows[Math.floor(LINKS / 2)]?.id as string
        const results = await startTogether(middle, [
          () => act(founders[acts.founders], ofFounders),
          () => act(companies[acts.companies], ofCompanies),
        ])
        expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'done'))).toEqual([
          'done',
          'done',
        ])
        const end = {
          founderId: founders[acts.founders === 'merge' ? 'survivor' : 'duplicate'].id,
          companyId: companies[acts.companies === 'merge' ? 'survivor' : 'duplicate'].id,
        }
        const moved = await test.db.select().from(links).where(eq(links.founderId, end.founderId))
        expect(moved).toMatchObject(rows.map(() => end))
      }
    },
  )
})
