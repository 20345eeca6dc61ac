import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { rowsOf } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { accounts, auditLog, notes, records } from '#server/db/schema.ts'
import { openReleased } from '#server/db/test/released-worlds.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { whileHeld } from '#server/test/held.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { countExported } from './store.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.db.delete(notes)
  await test.db.delete(records)
  await test.db.update(accounts).set({ role: 'fellow' })
})

const HEADER =
  'name,linkedIn,website,description,notes,rating,createdBy,createdAt,stage,status,responsible,tags,' +
  'company,title,email,place,industry,founded,employees,bio,nextStep,nextOn'
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

const KINDS = [
  {
    kind: 'founder',
    path: '/api/founders',
    make: (more: { creator: Account; name?: string; notes?: string; createdAt?: Date }) => makeFounder(test.db, more),
  },
  {
    kind: 'company',
    path: '/api/companies',
    make: (more: { creator: Account; name?: string; notes?: string; createdAt?: Date }) => makeCompany(test.db, more),
  },
] as const

/** The audit log refuses changes, so its triggers are off meanwhile. */
async function makeOlder({ id }: Account) {
  await test.db.execute(sql`alter table audit_log disable trigger user`)
  await test.db.execute(sql`update audit_log set at = at - interval '25 hours' where account_id = ${id}`)
  await test.db.execute(sql`alter table audit_log enable trigger user`)
}

const linesOf = (text: string) => text.split('\n').slice(0, -1)

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Name ${index}`)

describe.each(KINDS)('The export of records: $kind', ({ kind, path, make }) => {
  const makeMany = (creator: Account, names: string[]) =>
    test.db.execute(sql`
      insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text, created_at)
      select gen_random_uuid(), ${kind}, name, case ${kind} when 'founder' then 'x' end, 'n', 5, ${creator.id}, lower(name),
        now() + number * interval '1 ms'
      from unnest(${sql.param(names)}::text[]) with ordinality given (name, number)`)

  it('is CSV in UTF-8 with BOM, with the columns of a record in their order', async () => {
    const { account, client } = await fellow({ name: 'Ada Byron' })
    const { id } = await make({ creator: account, name: 'Zoë "Z" Kranz', notes: 'One,\r\ntwo' })
    const record = (await client.get(`${path}/${id}`)).body
    const { status, text, headers } = await client.get(`${path}/export?format=csv`)
    const today = new Date().toISOString().slice(0, 10)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${path.slice(5)}-${today}.csv"`,
      'cache-control': 'no-store',
    })
    expect(text).toBe(
      `\ufeff${HEADER}\r\n` +
        `"Zoë ""Z"" Kranz",${record.linkedIn ?? ''},,,"One,\r\ntwo",5,Ada Byron,${record.createdAt}${','.repeat(14)}\r\n`,
    )
  })

  it.each(['=1+1', '+1', '-1', '@A1', '＝1+1', '＋1', '－1', '＠A1', '\t1', '\r1', "'tis"])(
    'protects %j from spreadsheets by an apostrophe, in every column of text',
    async (text) => {
      const { account, client } = await fellow({ name: text })
      const { id } = await make({ creator: account })
      // Only the database takes some of these: the calls trim them.
      await test.db
        .update(records)
        .set({
          name: text,
          notes: text,
          linkedIn: text,
          ...(kind === 'company' && { website: text, description: text }),
        })
        .where(eq(records.id, id))
      const cell = text === '\r1' ? `"'${text}"` : `'${text}`
      const [, row] = (await client.get(`${path}/export`)).text.split('\r\n')
      const pages = kind === 'company' ? [cell, cell, cell] : [cell, '', '']
      expect(row?.split(',').slice(0, 7)).toEqual([cell, ...pages, cell, '5', cell])
    },
  )

  it('is JSON Lines with the notes of fellows, authors as text', async () => {
    const [ada, bob] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Bob' })]
    const { id } = await make({ creator: ada.account, name: 'Ann', notes: '=1' })
    await make({ creator: ada.account, name: 'Ben', createdAt: new Date('2020-01-01T10:00:00Z') })
    const first = await makeNote(test.db, { [kind]: id, author: ada.account, content: 'First' })
    const second = await makeNote(test.db, { [kind]: id, author: bob.account, content: 'Second' })
    const { text, headers } = await ada.client.get(`${path}/export?format=jsonl`)
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const [ann, ben] = linesOf(text).map((line) => JSON.parse(line))
    expect(Object.keys(ann).slice(0, 22).join()).toBe(HEADER)
    expect(ann).toMatchObject({ name: 'Ann', notes: '=1', rating: 5, createdBy: 'Ada', stage: null })
    expect(ann.notesThread).toEqual([
      { author: 'Bob', content: 'Second', createdAt: second.createdAt.toISOString() },
      { author: 'Ada', content: 'First', createdAt: first.createdAt.toISOString() },
    ])
    expect(ben).toMatchObject({ name: 'Ben', createdAt: '2020-01-01T10:00:00.000Z', notesThread: [] })
    expect(text).not.toContain(id)
    expect(text).not.toContain(bob.account.email)
  })

  it('is compressed while it is sent, for a reader that accepts it', async () => {
    const { account, client } = await fellow()
    await make({ creator: account, name: 'Ann' })
    const plain = await client.get(`${path}/export`, { headers: { 'accept-encoding': 'identity' } })
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, 'accept-encoding': 'br, gzip' }
    const answer = await test.app.inject({ url: `${path}/export`, headers })
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(plain.text)
  })

  it('contains the records that a filter shows', async () => {
    const [ada, bob] = [await fellow(), await fellow()]
    await make({ creator: ada.account, name: 'Quixotrope' })
    await make({ creator: bob.account, name: 'Other' })
    const namesOf = async (query: string) =>
      linesOf((await ada.client.get(`${path}/export?format=jsonl&${query}`)).text).map((line) => JSON.parse(line).name)
    expect(await namesOf('')).toEqual(['Other', 'Quixotrope'])
    expect(await namesOf('search=QUIXO')).toEqual(['Quixotrope'])
    expect(await namesOf('mine=true')).toEqual(['Quixotrope'])
    expect(await namesOf('search=other&mine=true')).toEqual([])
    expect((await ada.client.get(`${path}/export?search=none`)).text).toBe(`\ufeff${HEADER}\r\n`)
  })

  it('contains every record once, whatever their number', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const names = numbered(405)
    await makeMany(account, names)
    for (const query of ['', 'search=name', 'mine=true']) {
      const lines = linesOf((await client.get(`${path}/export?format=jsonl&${query}`)).text)
      expect(lines.map((line) => JSON.parse(line).name)).toEqual(names.toReversed())
    }
  })

  it('beyond My Records is for managers, and for everyone while there is no manager', async () => {
    const [ada, manager] = [await fellow(), await fellow({ role: 'manager' })]
    const rightsOf = async ({ client }: typeof ada) => (await client.get('/api/export-rights')).body
    expect([await rightsOf(ada), await rightsOf(manager)]).toEqual([{ all: false, remaining: 200 }, { all: true }])
    for (const query of ['', '?sort=rating', '?search=']) {
      expect(await ada.client.get(`${path}/export${query}`)).toMatchObject({
        status: 403,
        body: { error: expect.stringMatching(/^Only a manager can export all records\./) },
      })
    }
    expect((await ada.client.get(`${path}/export?mine=true`)).status).toBe(200)
    expect((await manager.client.get(`${path}/export`)).status).toBe(200)
    await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, manager.account.id))
    expect((await ada.client.get(`${path}/export`)).status).toBe(200)
    expect(await rightsOf(ada)).toEqual({ all: true })
  })

  it('of what a filter shows is for fellows too, up to 200 records in 24 hours, and never cut', async () => {
    const [ada, bob] = [await fellow(), await fellow()]
    await fellow({ role: 'manager' })
    await makeMany(bob.account, numbered(120))
    const day = new Date().toISOString().slice(0, 10)
    const exportOf = (query: string) => ada.client.get(`${path}/export?format=jsonl&${query}`)
    const rights = async () => (await ada.client.get('/api/export-rights')).body
    expect(linesOf((await exportOf(`addedAfter=${day}`)).text).length).toBe(120)
    expect(await rights()).toEqual({ all: false, remaining: 80 })
    expect(await exportOf('search=name')).toMatchObject({
      status: 403,
      body: {
        error: 'You can export up to 200 records of others in 24 hours, and have exported 120. This filter shows 120.',
      },
    })
    expect((await exportOf('search=name%201')).status).toBe(200)
    // Only one more of 31 fits. Exports at the same time do not share what remains.
    const several = await whileHeld(
      test.db,
      sql`lock table audit_log in share row exclusive mode`,
      () => Promise.all([1, 2].map(() => exportOf('search=name%201'))),
      { waiting: 2 },
    )
    expect(several.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await rights()).toEqual({ all: false, remaining: 80 - 2 * 31 })
    expect((await exportOf('mine=true')).status).toBe(200)
    await makeOlder(ada.account)
    expect(await rights()).toEqual({ all: false, remaining: 200 })
    await makeMany(bob.account, numbered(90))
    expect((await exportOf('search=name')).body.error).toContain(
      'and have exported 0. This filter shows more than 200.',
    )
  })

  it('is in the audit log, with account, filter and count', async () => {
    const { account, client } = await fellow()
    await make({ creator: account, name: 'Ann' })
    await client.get(`${path}/export?format=jsonl&search=ann&mine=true`)
    const entries = await test.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.accountId, account.id), eq(auditLog.action, 'export')))
    expect(entries).toMatchObject([
      {
        kind,
        accountEmail: account.email,
        ip: '127.0.0.1',
        result: 'done',
        detail: { format: 'jsonl', search: 'ann', mine: 'true', count: 1, isComplete: true },
      },
    ])
  })

  it.each(['format=xml', 'mine=yes', `search=${'x'.repeat(201)}`])('returns 400 for %s', async (query) => {
    const { client } = await fellow()
    const { status, body } = await client.get(`${path}/export?${query}`)
    expect([status, Object.keys(body.fields)]).toEqual([400, [query.split('=')[0]]])
  })
})

describe('The limit of exports', () => {
  it('counts what was exported in the 24 hours before the upgrade that counts it in a column', {
    tags: 'slow',
  }, async () => {
    const { db, close } = await openReleased(56)
    onTestFinished(close)
    const [ada] = await rowsOf<{ id: string }>(db, sql`select id from accounts limit 1`)
    await db.execute(sql`insert into audit_log (account_id, action, kind, at, detail) values
      (${ada?.id}, 'export', 'founder', now() - interval '23 hours', '{"count": 30, "isComplete": true}'),
      (${ada?.id}, 'export', 'company', now(), '{"count": 4, "mine": "false"}'),
      (${ada?.id}, 'export', 'founder', now() - interval '25 hours', '{"count": 500}'),
      (${ada?.id}, 'export', 'founder', now(), '{"count": 60, "mine": "true"}'),
      (${ada?.id}, 'export', 'history', now(), '{}')`)
    await migrate(db)
    expect(await countExported(db, { id: ada?.id ?? '' })).toBe(34)
    expect(await rowsOf(db, sql`select from audit_log where exported_count is not null`)).toHaveLength(2)
    await expect(db.execute(sql`update audit_log set exported_count = 0`)).rejects.toThrow()
  })
})

describe('An aborted export', () => {
  it('reads no more records than its client receives, and is in the audit log as incomplete', {
    tags: 'slow',
  }, async () => {
    const { account, client } = await fellow()
    await test.db.execute(sql`
      insert into records (id, kind, name, notes, description, rating, creator_id, search_text)
      select gen_random_uuid(), 'company', 'Large', repeat('語', 10000), repeat('語', 10000), 5, ${account.id}, ''
      from generate_series(1, 1000)`)
    const url = await test.app.listen({ port: 0 })
    const reader = new AbortController()
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, 'accept-encoding': 'identity' }
    const answer = await fetch(`${url}/api/companies/export`, { headers, signal: reader.signal })
    await answer.body?.getReader().read()
    // Long enough for the whole file without backpressure.
    await pause(1_000)
    reader.abort()
    const isExport = and(eq(auditLog.accountId, account.id), eq(auditLog.action, 'export'))
    await expect.poll(() => test.db.$count(auditLog, isExport)).toBe(1)
    const [entry] = await test.db.select().from(auditLog).where(isExport)
    expect(entry?.detail).toMatchObject({ isComplete: false })
    expect(entry?.detail?.count).toBeLessThan(900)
  })
})
