import { getTableName, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { recordData } from '#server/records/record-data.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { purgeDeleted } from './store.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
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

/** The tables, also those of the queue, with a row that contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    test.db,
    sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema in ('public', 'pgboss')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await rowsOf(test.db, sql`select from ${sql.raw(name)} t where strpos(lower(t::text), ${text}) > 0`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe.each(['founders', 'companies'])('Deleted by mistake: %s', (path) => {
  const noun = path === 'founders' ? 'founder' : 'company'

  it('keeps everything of a deleted record, shows nothing of it, and brings it back', async () => {
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

  it('leaves no byte of it in any table after 30 days, nor of what was merged into it', async () => {
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
