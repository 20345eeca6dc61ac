import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SortName } from '#contract/record.ts'
import { getBoard } from '#server/board/board.ts'
import { listChanges } from '#server/changes/store.ts'
import type { Database } from '#server/db/database.ts'
import { listPairs } from '#server/duplicates/pairs.ts'
import { eachRecord } from '#server/export/store.ts'
import { founderKind } from '#server/founders/kind.ts'
import { listRecords } from '#server/lists/store.ts'
import type { Position } from '#server/records/cursor.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { randomFrom } from '../../scripts/seed/random.ts'
import { recordQuery } from './query.ts'

// A page is found by one statement and read by the next ones. What another fellow deletes between them must not end the list.

let test: TestApp
let fellow: Awaited<ReturnType<typeof fellowOf>>
let caller: Parameters<typeof listRecords>[2]
let tag: string
let founders: string[]
beforeAll(async () => {
  test = await startTestApp()
  fellow = await fellowOf(test, { role: 'manager' })
  caller = fellow.account as never
  tag = (await fellow.client.post('/api/tags', { name: 'Berlin' })).body.id
  founders = await makeFounders()
})
afterAll(() => test.close())

const COUNT = 315
const LIMIT = 50

/** Founders, of which all are found by every list. Returns their ids. */
async function makeFounders(): Promise<string[]> {
  const ids = Array.from({ length: COUNT }, () => uuidv7())
  await test.db.execute(sql`insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text, created_at, last_note_at)
    select id, 'founder', 'Ada', 'https://x.example', 'n', 1 + n % 9, ${caller.id}, 'ada ' || n, timestamptz '2026-01-01' + n / 3 * interval '1 day',
      timestamptz '2026-02-01' + n / 5 * interval '1 day'
    from unnest(${sql.param(ids)}::uuid[]) with ordinality given (id, n)`)
  await test.db.execute(
    sql`update records set stage_since = created_at - rating / 2 * interval '1 hour' where rating % 2 = 0`,
  )
  await test.db.execute(sql`insert into record_tags (id, record_id, kind, tag_id, created_at)
    select gen_random_uuid(), id, 'founder', ${tag}, created_at from records`)
  return ids
}

/** Takes back what it deletes, so that the next one finds all of them again. */
async function withFounders(work: (tx: Database, left: Set<string>) => Promise<void>): Promise<void> {
  const takeBack = new Error('Taken back')
  const working = test.db.transaction(async (tx) => {
    await work(tx, new Set(founders))
    throw takeBack
  })
  await expect(working).rejects.toBe(takeBack)
}

const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g

/**
 * The database, where after each statement another fellow deletes some of the rows that it has found: the last one of the page,
 * the one after it, and others at random.
 */
function deletingBetween(
  tx: Database,
  left: Set<string>,
  remove: (tx: Database, ids: string[]) => Promise<unknown>,
  random: () => number,
): Database {
  const execute = async (statement: never) => {
    const result = (await tx.execute(statement)) as unknown as { rows: unknown[] }
    const found = [...new Set(JSON.stringify(result.rows).match(UUIDS))].filter((id) => left.has(id))
    const gone = found.filter(
      (_, at) => at === found.length - 2 || (at === found.length - 1 && random() < 0.5) || random() < 0.02,
    )
    for (const id of gone) left.delete(id)
    if (gone.length > 0) await remove(tx, gone)
    return result
  }
  return new Proxy(tx, { get: (db, name) => (name === 'execute' ? execute : db[name as keyof Database]) })
}

const deleteRecords = (tx: Database, ids: string[]) =>
  tx.execute(sql`delete from records where id = any (${sql.param(ids)}::uuid[])`)

/** All pages of a list, by the positions that it returns. */
async function readAll<At>(
  page: (after: At | undefined) => Promise<{ rows: { id: string }[]; next: At | undefined }>,
): Promise<string[]> {
  const seen: string[] = []
  let after: At | undefined
  do {
    const { rows, next } = await page(after)
    seen.push(...rows.map(({ id }) => id))
    after = next
  } while (after !== undefined)
  return seen
}

/** What is left was listed once, and nothing twice. */
function expectComplete(seen: string[], left: Set<string>) {
  expect(new Set(seen).size).toBe(seen.length)
  expect([...left].filter((id) => !seen.includes(id))).toEqual([])
}

type Values = Omit<Parameters<typeof recordQuery>[3], 'sort'>
const LISTS: [string, () => Values][] = [
  ['all', () => ({})],
  ['with a search', () => ({ search: 'ada' })],
  ['of mine', () => ({ mine: 'true' })],
  ['of a rating', () => ({ ratingMin: 1, ratingMax: 9 })],
  ['with a tag', () => ({ tag })],
]
const SORTS: SortName[] = ['newest', 'rating', 'lastNote', 'stageAge']
const CASES = LISTS.flatMap(([name, values]) => SORTS.map((sort) => [name, sort, values] as const))

describe('While records are deleted between the reads of a page', () => {
  it.each(CASES)('a list %s, by %s, goes on to its end', { tags: 'slow' }, async (name, sort, values) => {
    await withFounders(async (tx, left) => {
      const db = deletingBetween(tx, left, deleteRecords, randomFrom(`${name} ${sort}`).next)
      const query = await recordQuery({ db: test.db, secret: 'of a test' }, founderKind, caller, { ...values(), sort })
      const seen = await readAll<Position>((after) =>
        listRecords(db, founderKind, caller, query, { limit: LIMIT, after }),
      )
      expectComplete(seen, left)
      // The newest are found and read in one statement.
      const isOneStatement = sort === 'newest' && ['all', 'of mine'].includes(name)
      expect(left.size < COUNT).toBe(!isOneStatement)
    })
  })

  it.each(CASES)(
    'an export of a list %s, by %s, has every record that is left',
    { tags: 'slow' },
    async (name, sort, values) => {
      await withFounders(async (tx, left) => {
        const db = deletingBetween(tx, left, deleteRecords, randomFrom(`export ${name} ${sort}`).next)
        const query = await recordQuery({ db: test.db, secret: 'of a test' }, founderKind, caller, {
          ...values(),
          sort,
        })
        const seen: string[] = []
        for await (const rows of eachRecord(db, founderKind, caller, query)) seen.push(...rows.map(({ id }) => id))
        expect([...left].filter((id) => !seen.includes(id))).toEqual([])
      })
    },
  )

  it('the list of possible duplicates goes on to its end', async () => {
    await withFounders(async (tx, left) => {
      await tx.execute(sql`insert into duplicate_pairs (a, b, kind, reasons, score)
      select least(a, b), greatest(a, b), 'founder', '{name}', 80 + n % 7
      from unnest(${sql.param(founders.slice(0, 150))}::uuid[], ${sql.param(founders.slice(150, 300))}::uuid[]) with ordinality pairs (a, b, n)`)
      const db = deletingBetween(tx, left, deleteRecords, randomFrom('pairs').next)
      const seen = await readAll<Parameters<typeof listPairs>[3]['after']>(async (after) => {
        const { rows, next } = await listPairs(db, founderKind, caller, { limit: 20, after })
        return { rows: rows.flatMap(({ a, b }) => [{ id: a }, { id: b }]), next }
      })
      const pairs = founders.slice(0, 150).map((a, at) => [a, founders[at + 150] as string])
      const whole = pairs.filter((pair) => pair.every((id) => left.has(id))).flat()
      expect(whole.filter((id) => !seen.includes(id))).toEqual([])
      expect(whole.length).toBeLessThan(300)
    })
  })

  it('the list of changes goes on to its end', async () => {
    await withFounders(async (tx) => {
      const ids = founders.slice(0, 150).map(() => uuidv7())
      await tx.execute(sql`insert into dismissals (id, kind, a, b, account_id, dismissed_at)
      select id, 'founder', least(a, b), greatest(a, b), ${caller.id}, now() - n / 3 * interval '1 minute'
      from unnest(${sql.param(ids)}::uuid[], ${sql.param(founders.slice(0, 150))}::uuid[], ${sql.param(founders.slice(150, 300))}::uuid[])
        with ordinality changes (id, a, b, n)`)
      const left = new Set(ids)
      const remove = (tx: Database, gone: string[]) =>
        tx.execute(sql`delete from dismissals where id = any (${sql.param(gone)}::uuid[])`)
      const db = deletingBetween(tx, left, remove, randomFrom('changes').next)
      const seen = await readAll<Position>((after) => listChanges(db, caller, { limit: 20, after }))
      expectComplete(seen, left)
      expect(left.size).toBeLessThan(150)
    })
  })

  it('a column of the board leads on to the rest of it', async () => {
    const left = new Set(founders)
    const db = deletingBetween(test.db, left, deleteRecords, randomFrom('board').next)
    const [column] = await getBoard({ db, secret: 'of a test' }, founderKind, fellow.account as never, {
      kind: founderKind.name,
      status: 'active',
    })
    expect(column?.next).toBeDefined()
    const rest: string[] = []
    for (let next = column?.next; next !== undefined; ) {
      const { body, headers } = await fellow.client.get(next)
      rest.push(...body.map(({ id }: { id: string }) => id))
      next = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1]
    }
    expectComplete([...(column?.rows ?? []).map(({ id }) => id), ...rest], left)
  })
})
