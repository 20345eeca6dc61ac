import { type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { merge, type Row } from '#server/merge/test/calls.ts'
import { recordData } from '#server/record-features.ts'
import { columnOf } from '#server/records/record-data.ts'
import { makeCompany, makeFounder, makeImport, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { openAsSuperuser } from '#server/test/test-database.ts'
import { searchedIn, searchedTables, tableName } from './tables.ts'
import { dumpOf, tracesByPlace } from './test/traces.ts'

// A property: a search finds a name in any searched column, and after an erasure of all results it finds nothing.

let test: TestApp
let superuser: OpenDatabase
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager' })
  superuser = await openAsSuperuser(test.db)
})
afterAll(async () => {
  await superuser.close()
  await test.close()
})

const search = async (name: string): Promise<Row[]> =>
  (await manager.client.post('/api/programme/privacy/search', { names: [name], comments: true })).body
const erase = (hits: Row[]) =>
  manager.client.post('/api/programme/privacy/erase', { refs: hits.map(({ ref }) => ref), reason: 'asked' })

/** A row of each searched table, by the condition that finds it. */
const ROWS: Record<string, () => Promise<SQL>> = {
  records: async () => sql`id = ${(await makeFounder(test.db)).id}`,
  notes: async () => sql`id = ${(await makeNote(test.db)).id}`,
  links: async () => {
    const [founder, company] = [await makeFounder(test.db), await makeCompany(test.db)]
    await manager.client.put(`/api/founders/${founder.id}/companies/${company.id}`, { role: 'Founder' })
    return sql`founder_id = ${founder.id}`
  },
  opinions: async () => {
    const { id } = await makeFounder(test.db)
    await manager.client.put(`/api/records/${id}/opinion`, { rating: 7, comment: 'Fine' })
    return sql`record_id = ${id}`
  },
  tags: async () => {
    number += 1
    return sql`id = ${(await manager.client.post('/api/tags', { name: `Tag ${number}` })).body.id}`
  },
  saved_searches: async () => {
    const search = { name: 'Fine', kind: 'founder', query: 'search=fine' }
    return sql`id = ${(await manager.client.post('/api/searches', search)).body.id}`
  },
  access_tokens: async () => {
    const id = uuidv7()
    await test.db.execute(sql`insert into access_tokens (id, account_id, name, hash, last_four, can_export, can_write, expires_at)
      values (${id}, ${manager.account.id}, 'Sync', ${id}, '', false, false, now() + interval '1 day')`)
    return sql`id = ${id}`
  },
  merges: async () => {
    const both = [await makeFounder(test.db), await makeFounder(test.db)]
    const { body } = await merge(manager.client, both[0], both[1])
    return sql`id = ${body.mergeId}`
  },
  bulk_rows: async () => {
    const { id } = await makeFounder(test.db)
    const [reason] = (await manager.client.get('/api/passing-reasons')).body
    const set = { status: 'passed', reason: { id: reason.id } }
    const { body } = await manager.client.post('/api/records/bulk', { ids: [id], set })
    return sql`bulk_id = ${body.bulkId}`
  },
  import_rows: async () => {
    const { id } = await makeImport(test.db, { importer: manager.account })
    await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, before, after)
      values (${id}, 1, '["Ada"]', 'updated', '{"name": "A"}', '{"name": "B"}')`)
    return sql`import_id = ${id}`
  },
  imports: async () => sql`id = ${(await makeImport(test.db, { importer: manager.account })).id}`,
  audit_log: async () => {
    const { id } = await makeFounder(test.db)
    return sql`object_id = ${id} and action = 'create'`
  },
  denied_requests: async () => {
    const [row] = await rowsOf<{ id: string }>(
      test.db,
      sql`insert into denied_requests (id, action, detail) values (${uuidv7()}, 'create', '{"status": 403}') returning id`,
    )
    return sql`id = ${row?.id}`
  },
}

const SURNAMES =
  'Ostrander Quandrel Vestorim Trabucel Morgliant Pelvarin Drustaco Fenwarrick Hulmortes Zibranthe'.split(' ')
let number = 0
const newName = () => {
  number += 1
  return `Zoe${'abcdefghij'[number % 10]}${'klmnopqrst'[Math.floor(number / 10)]} ${SURNAMES[number % 10]}`
}

/** A value with the name. The results of a run of enrichment and the dialect of a file have a fixed shape. */
function valueWith(type: string, column: string, name: string): SQL {
  if (type !== 'jsonb') return sql`${`About ${name}.`}`
  if (column === 'enrichment')
    return sql`${JSON.stringify({ last: { at: '', found: [], hints: { company: name } } })}::jsonb`
  if (column === 'dialect')
    return sql`${JSON.stringify({ format: 'xlsx', sheet: 'People', sheets: ['People', `About ${name}`], headerRow: 1 })}::jsonb`
  const text = JSON.stringify(`About ${name}.`)
  return sql`case jsonb_typeof(${sql.identifier(column)}) when 'array' then jsonb_build_array(${text}::jsonb)
    else jsonb_build_object('x', ${text}::jsonb) end`
}

async function plant(table: string, name: string, column: ReturnType<typeof columnOf>) {
  const isCompany = ['website', 'description'].includes(column.name)
  const where = isCompany ? sql`id = ${(await makeCompany(test.db)).id}` : await (ROWS[table] as () => Promise<SQL>)()
  const value = valueWith(column.getSQLType(), column.name, name)
  await superuser.db.transaction(async (tx) => {
    // The audit log refuses changes, and other triggers would copy the name.
    await tx.execute(sql`set local session_replication_role = replica`)
    const changed = await rowsOf(
      tx,
      sql`update ${sql.identifier(table)} set ${sql.identifier(column.name)} = ${value} where ${where} returning 1`,
    )
    expect(changed).toHaveLength(1)
  })
}

const columns = searchedTables().flatMap((entry) =>
  searchedIn(entry).map((column) => ({ entry, table: tableName(entry), column })),
)

describe('Erasing every result of a search leaves nothing that a search finds', () => {
  it.each(columns)('in $table, $column', async ({ entry, table, column }) => {
    const name = newName()
    await plant(table, name, columnOf(entry, column))
    const hits = await search(name)
    expect(hits.length).toBeGreaterThan(0)
    const { status, body } = await erase(hits)
    expect([status, body.error]).toEqual([200, undefined])
    expect(await search(name)).toEqual([])
    expect(tracesByPlace(await dumpOf(test.db), [name])).toEqual({})
  })

  it('in all of them at once', { tags: 'slow' }, async () => {
    const name = newName()
    for (const { entry, table, column } of columns) await plant(table, name, columnOf(entry, column))
    const hits = await search(name)
    expect(new Set(hits.map(({ kind }) => kind)).size).toBe(new Set(columns.map(({ table }) => table)).size + 1)
    expect((await erase(hits)).status).toBe(200)
    expect(await search(name)).toEqual([])
    expect(tracesByPlace(await dumpOf(test.db), [name])).toEqual({})
  })

  it('and words of the product are no results', { tags: 'slow' }, async () => {
    await plant(
      'notes',
      'Zoe Quandrel',
      columnOf(recordData.find((entry) => tableName(entry) === 'notes') as never, 'content'),
    )
    for (const word of ['founder', 'company', 'create', 'done', 'active', 'updated', 'self']) {
      expect(await search(word)).not.toContainEqual(expect.objectContaining({ excerpt: word }))
    }
  })
})
