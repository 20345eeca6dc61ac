import { getTableName, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createQueue } from '#server/db/queue.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { recordData } from '#server/record-features.ts'
import { makeImport } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { dumpOf, tracesByPlace } from '../privacy/test/traces.ts'
import { purgeDeleted } from './store.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  await installQueues(test.database)
})
afterAll(() => test.close())

type Fellow = Awaited<ReturnType<typeof fellowOf>>
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
let added = 0
const inputs: Record<string, (n: number) => object> = {
  founders: (n) => ({ name: `Ada ${n}`, linkedIn: `https://www.linkedin.com/in/d${n}`, notes: 'Met' }),
  companies: (n) => ({ name: `Acme ${n}`, website: `https://d${n}.example.com`, description: 'x', notes: 'Met' }),
}
const add = async ({ client }: Fellow, path = 'founders'): Promise<Row> => {
  added += 1
  return (await client.post(`/api/${path}`, inputs[path]?.(added))).body
}
const otherPath = (path: string) => (path === 'founders' ? 'companies' : 'founders')

/** The rows of every table of record data that goes with a record, without logs and what checks compute. */
async function dump(): Promise<Record<string, unknown>> {
  const skipped = ['audit_log', 'denied_requests', 'duplicate_checks', 'idempotency_keys']
  const tables = [...new Set(recordData.filter(({ record }) => record).map(({ table }) => getTableName(table)))]
  const kept: Record<string, unknown> = {}
  for (const name of tables.filter((name) => !skipped.includes(name))) {
    const rows = await rowsOf<{ row: string }>(
      test.db,
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t order by 1`,
    )
    kept[name] = rows.map(({ row }) => row)
  }
  return kept
}

const restore = (id: string, by: Fellow) => by.client.post(`/api/programme/deleted/${id}/restore`, {})

/** The tables, also those of the queue, with a row that contains any of the texts. */
const tablesWith = async (...texts: string[]): Promise<string[]> =>
  Object.keys(tracesByPlace(await dumpOf(test.db), texts))

/** How many rows of a table name one of the records. */
const namesIt =
  (ids: string[]) =>
  async (table: string): Promise<[string, number]> => {
    const rows = await rowsOf(
      test.db,
      sql`select from ${sql.identifier(table)} t where t::text ~ any (${sql.param(ids)}::text[])`,
    )
    return [table, rows.length]
  }

/** A record with a row in every table, and a text in each that has one. `ids` are its own and that of what was merged. */
async function fullRecord(path: string, { ann, bob, manager }: Record<'ann' | 'bob' | 'manager', Fellow>) {
  added += 1
  const noun = path === 'founders' ? 'founder' : 'company'
  const secret = `planted${added}x`
  const [kept, other, twin, third] = [
    await add(ann, path),
    await add(bob, path),
    await add(ann, path),
    await add(ann, path),
  ]
  const linked = await add(ann, otherPath(path))
  for (const { id } of [kept, other]) {
    await ann.client.put(`/api/${path}/${id}`, { notes: `Notes ${secret}` })
    await bob.client.put(`/api/${path}/${id}`, { notes: `Notes ${secret}` })
    await bob.client.post(`/api/notes/${noun}/${id}`, { content: `A note ${secret}` })
    await manager.client.patch(`/api/${path}/${id}`, { name: `Name ${secret}` })
  }
  const [founder, company] = path === 'founders' ? [kept, linked] : [linked, kept]
  await ann.client.put(`/api/founders/${founder.id}/companies/${company.id}`, { role: `Role ${secret}` })
  await manager.client.post(`/api/records/${kept.id}/finders`, {})
  await manager.client.put('/api/programme/privacy/informed', { ids: [kept.id], isInformed: true })
  const both = [kept, other].map(async ({ id }) => (await manager.client.get(`/api/${path}/${id}`)).body)
  const [one, two] = await Promise.all(both)
  expect((await merge(manager.client, one, two)).status).toBe(200)
  expect((await ann.client.post('/api/duplicates/dismiss', { a: kept.id, b: third.id })).status).toBe(204)
  // What only jobs write.
  const state = { last: { at: '2026-01-01T00:00:00Z', hints: { company: `Hint ${secret}` } } }
  await test.db.execute(sql`update records set enrichment = ${JSON.stringify(state)}::jsonb where id = ${kept.id}`)
  await test.db.execute(sql`delete from duplicate_checks`)
  await test.db.execute(sql`insert into duplicate_pairs (a, b, kind, reasons, score)
    values (least(${kept.id}::uuid, ${twin.id}), greatest(${kept.id}::uuid, ${twin.id}), ${noun}, '{name}', 70)`)
  if (path === 'founders')
    await test.db.execute(sql`insert into pictures (record_id, kind, size, bytes, fetched_at)
      values (${kept.id}, 'founder', 56, convert_to(${`Face ${secret}`}, 'UTF8'), now())`)
  const imported = await makeImport(test.db, { importer: ann.account })
  await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults, record_id)
    values (${imported.id}, 1, ${JSON.stringify([`Cell ${secret}`])}::jsonb, 'created', '[]', ${kept.id})`)
  await test.db.execute(sql`insert into import_files (import_id, piece, bytes)
    values (${imported.id}, 0, convert_to(${`Name\nName ${secret}`}, 'UTF8'))`)
  return { id: kept.id, ids: [kept.id, other.id], secret }
}

describe.each(['founders', 'companies'])('Deleted by mistake: %s', (path) => {
  const noun = path === 'founders' ? 'founder' : 'company'

  it('keeps everything of a deleted record, shows nothing of it, and brings it back', { tags: 'slow' }, async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const [kept, other, linked] = [await add(ann, path), await add(bob, path), await add(ann, otherPath(path))]
    const merged = await merge(ann.client, kept, other)
    expect(merged.status).toBe(200)
    await bob.client.post(`/api/notes/${noun}/${kept.id}`, { content: 'Hello' })
    const [founder, company] = path === 'founders' ? [kept, linked] : [linked, kept]
    await ann.client.put(`/api/founders/${founder.id}/companies/${company.id}`, { role: 'CTO' })
    const before = await dump()
    expect((await manager.client.delete(`/api/${path}/${kept.id}`)).status).toBe(204)

    for (const id of [kept.id, other.id]) expect((await ann.client.get(`/api/${path}/${id}`)).status).toBe(404)
    expect((await ann.client.get(`/api/${otherPath(path)}/${linked.id}/${path}`)).body).toEqual([])
    expect((await bob.client.get(`/api/${path}?mine=true`)).body).toEqual([])
    expect((await bob.client.get('/api/notes/my-notes')).body).toEqual({ founderNotes: [], companyNotes: [] })
    expect((await undo(manager.client, merged.body.mergeId)).status).toBe(409)

    expect((await ann.client.get('/api/programme/deleted')).status).toBe(403)
    const { body: listed } = await manager.client.get('/api/programme/deleted')
    const entry = listed.find(({ id }: Row) => id === kept.id)
    expect(entry).toMatchObject({ name: kept.name, by: { name: manager.account.name } })
    expect(Date.parse(entry.until) - Date.parse(entry.deletedAt)).toBe(30 * 86_400_000)
    expect((await restore(kept.id, ann)).status).toBe(403)
    expect((await restore(other.id, manager)).status).toBe(404)
    expect((await restore(kept.id, manager)).body).toMatchObject({ id: kept.id })
    expect((await restore(kept.id, manager)).status).toBe(404)
    expect(await dump()).toEqual(before)
    const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(
      test.db,
      sql`select count(*)::int as count from audit_log where object_id = ${kept.id} and action in ('delete', 'restore')`,
    )
    expect(count).toBe(2)
  })

  it('gives a record back with everything it had: notes, finders, links, merges, picture, pairs, dismissals, rows', {
    tags: 'slow',
  }, async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const one = await fullRecord(path, { ann, bob, manager })
    const tables = ['records', 'notes', 'finders', 'links', 'merges', 'duplicate_pairs', 'dismissals', 'import_rows']
    const rowsOfIt = await Promise.all([...tables, ...(path === 'founders' ? ['pictures'] : [])].map(namesIt(one.ids)))
    expect(Object.fromEntries(rowsOfIt.filter(([, count]) => count === 0))).toEqual({})
    const before = await dump()
    const entries = await rowsOf<{ row: string }>(test.db, sql`select t::text as row from audit_log t`)
    expect((await manager.client.delete(`/api/${path}/${one.id}`)).status).toBe(204)
    expect(await dump()).not.toEqual(before)
    expect((await restore(one.id, manager)).status).toBe(200)
    await expect.poll(dump).toEqual(before)
    const after = await rowsOf<{ row: string }>(test.db, sql`select t::text as row from audit_log t`)
    expect(after.map(({ row }) => row)).toEqual(expect.arrayContaining(entries.map(({ row }) => row)))
    expect(Object.values(await dumpOf(test.db)).join()).toContain(one.secret)
  })

  it('leaves no byte of everything it had in a dump after 30 days, the audit log and the queue included', {
    tags: 'slow',
  }, async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const { id, ids, secret } = await fullRecord(path, { ann, bob, manager })
    const queue = createQueue({ database: test.database, log: quietLog })
    const { boss } = await queue.open()
    await boss.send('enrich-later', { kind: noun, id, hints: { company: `Hint ${secret}` } }, { startAfter: 3_600 })
    await queue.close()
    expect(await tablesWith(secret)).toEqual(
      expect.arrayContaining(
        ['audit_log', 'import_files', 'import_rows', 'links', 'merges', 'notes', 'records'].map(
          (name) => `public.${name}`,
        ),
      ),
    )
    expect((await manager.client.delete(`/api/${path}/${id}`)).status).toBe(204)
    await test.db.execute(
      sql`update records set deleted_at = deleted_at - interval '30 days' where id = any (${sql.param(ids)}::uuid[])`,
    )
    await purgeDeleted(test.db)
    expect(await tablesWith(secret)).toEqual([])
  })

  it('leaves no byte of it in any table after 30 days, nor of what was merged into it', { tags: 'slow' }, async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const secret = `planted${path}`
    const plant = async (record: Row) => {
      await ann.client.put(`/api/${path}/${record.id}`, { notes: `Notes ${secret}` })
      await bob.client.post(`/api/notes/${noun}/${record.id}`, { content: `A note ${secret}` })
      await ann.client.patch(`/api/${path}/${record.id}`, { name: `Name ${secret}` })
    }
    const [kept, other, linked] = [await add(ann, path), await add(ann, path), await add(ann, otherPath(path))]
    await plant(kept)
    await plant(other)
    const [founder, company] = path === 'founders' ? [kept, linked] : [linked, kept]
    await ann.client.put(`/api/founders/${founder.id}/companies/${company.id}`, { role: secret })
    const [one, two] = await Promise.all(
      [kept, other].map(async ({ id }) => (await ann.client.get(`/api/${path}/${id}`)).body),
    )
    expect((await merge(ann.client, one, two)).status).toBe(200)
    expect((await manager.client.delete(`/api/${path}/${kept.id}`)).status).toBe(204)
    await purgeDeleted(test.db)
    expect(await tablesWith(secret)).not.toEqual([])
    await test.db.execute(
      sql`update records set deleted_at = deleted_at - interval '30 days' where id in (${kept.id}, ${other.id})`,
    )
    expect((await restore(kept.id, manager)).status).toBe(404)
    await purgeDeleted(test.db)
    expect(await tablesWith(secret)).toEqual([])
    expect((await ann.client.get(`/api/${otherPath(path)}/${linked.id}`)).status).toBe(200)
  })
})

describe('A record whose 30 days are over', () => {
  it('is erased at the next start, not only after an hour of running', async () => {
    const { id } = await add(await fellow())
    await test.db.execute(sql`update records set kind = 'deleted-founder' where id = ${id}`)
    await test.db.execute(sql`update records set deleted_at = now() - interval '30 days' where id = ${id}`)
    const isThere = async () => (await rowsOf(test.db, sql`select from records where id = ${id}`)).length > 0
    expect(await isThere()).toBe(true)
    const again = await test.startAgain()
    await again.listen({ port: 0 })
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false)
    await again.close()
  })
})
