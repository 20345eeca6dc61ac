import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchAuditLog } from '#server/audit-log/search.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, auditLog, finders, invitations, ledger, notes, records, sessions } from '#server/db/schema.ts'
import { listLines } from '#server/ledger/store.ts'
import { tablesOf } from '#server/ops/backup/tables.ts'
import { makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { whileHeld } from '#server/test/held.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { listExports } from '../privacy/erasure.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Maya Okafor' })
})
afterAll(() => test.close())

type Fellow = Awaited<ReturnType<typeof fellowOf>>
let number = 0
const leaver = (overrides: Parameters<typeof fellowOf>[1] = {}) => {
  number += 1
  return fellowOf(test, {
    ...{ name: `Quill Vanterpool ${number}`, email: `quill.v.${number}@mit.edu`, emailVerified: true },
    ...overrides,
  })
}
const rowOf = async ({ account }: Pick<Fellow, 'account'>) =>
  (await test.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]
const eraseBy = async ({ client }: Pick<Fellow, 'client'>, who: Pick<Fellow, 'account'>) =>
  client.post(`/api/programme/people/${(await rowOf(who))?.publicId}/erase`)
async function erase(who: Fellow): Promise<string> {
  const { status, body } = await eraseBy(manager, who)
  expect([status, body.error]).toEqual([200, undefined])
  return (await rowOf(who))?.name ?? ''
}
const register = (email: string) =>
  test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'Someone Else' })

/** The tables whose rows contain any of the texts, in any case. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await tablesOf(test.db)) {
    for (const text of texts) {
      const rows = await rowsOf(
        test.db,
        sql`select from ${sql.identifier(name)} t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`,
      )
      if (rows.length > 0) found.push(name)
    }
  }
  return found
}

describe('Erasing a fellow', () => {
  it('leaves no byte of their name and address in any table', { tags: 'slow' }, async () => {
    const quill = await leaver()
    const { name, email, id } = quill.account
    const { body: record } = await quill.client.post('/api/founders', {
      ...{ name: 'Ada', linkedIn: 'https://linkedin.com/in/ada-1', notes: 'Met' },
    })
    await makeNote(test.db, { founder: record.id, author: quill.account })
    const mention = async (content: string) => {
      const mentions = [{ id: (await rowOf(quill))?.publicId, at: 0, length: name.length + 1 }]
      const { body } = await manager.client.post(`/api/notes/founder/${record.id}`, { content, mentions })
      return body.note.id
    }
    await mention(`@${name} knows her`)
    await manager.client.delete(`/api/notes/founder/${record.id}/${await mention(`@${name} was there`)}`)
    const asked = { fellows: [(await rowOf(quill))?.publicId] }
    expect((await manager.client.post(`/api/records/${record.id}/opinions/ask`, asked)).status).toBe(204)
    await quill.client.put(`/api/records/${record.id}/follow`, { state: 'mute' })
    await quill.client.patch('/api/account', { name: `${name} the Second` })
    await quill.client.patch('/api/account', { name })
    await quill.client.post(`/api/programme/people/${uuidv7()}/disable`)
    await test.visitor().post('/api/auth/login', { email, password: 'wrong password' })
    await manager.client.post('/api/programme/invitations', { emails: [`x${email}`] })
    await test.db
      .insert(invitations)
      .values({ id: uuidv7(), hash: email, email, expiresAt: new Date(Date.now() + 9e6) })
    const imported = await makeFounder(test.db, { creator: manager.account })
    await test.db.execute(
      sql`update records set creator_id = null, creator_text = ${email.toUpperCase()} where id = ${imported.id}`,
    )
    await test.db.insert(notes).values([
      { id: uuidv7(), recordId: imported.id, kind: 'founder', authorText: email, content: 'Imported' },
      { id: uuidv7(), recordId: imported.id, kind: 'founder', authorText: name, content: 'Imported too' },
    ])
    await test.db.insert(finders).values([
      { recordId: record.id, fellowText: name, via: 'import' },
      { recordId: imported.id, fellowText: email, via: 'import' },
    ])
    const other = await makeFounder(test.db, { creator: manager.account })
    await test.db.insert(finders).values([
      { recordId: other.id, fellowText: name, via: 'import' },
      { recordId: other.id, fellowText: email, via: 'import' },
    ])
    expect((await tablesWith(email, name)).length).toBeGreaterThan(5)
    const former = await erase(quill)
    expect(former).toMatch(/^Former fellow \d+$/)
    // The invitation is for another address.
    await test.db.execute(sql`delete from invitations where email = ${`x${email}`}`)
    await test.db.transaction((tx) =>
      tx.execute(sql`select empty_audit_entries(array_agg(id), array_agg(at), 'values') from audit_log
        where detail ->> 'email' = ${`x${email}`}`),
    )
    expect(await tablesWith(email, name)).toEqual([])
    expect(await rowsOf(test.db, sql`select from audit_log where account_id = ${id} and ip is not null`)).toEqual([])
    for (const table of ['mentions', 'opinion_asks', 'follows']) {
      const rows = await rowsOf(test.db, sql`select from ${sql.identifier(table)} where account_id = ${id}`)
      expect([table, rows]).toEqual([table, []])
    }

    for (const { id } of [record, imported]) {
      const { body } = await manager.client.get(`/api/founders/${id}`)
      expect(body).toMatchObject({ createdBy: former, finders: { names: [former], count: 1 } })
      const thread = await manager.client.get(`/api/notes/founder/${id}`)
      expect(thread).toMatchObject({ status: 200 })
      for (const note of thread.body.notes.filter(({ content }: { content: string }) => !content.startsWith('@'))) {
        expect(note).toMatchObject({ author: former, authorEmail: '' })
      }
    }
    const reader = await leaver()
    const { body: asFellow } = await reader.client.get(`/api/founders/${record.id}`)
    expect(asFellow.can.whyNotDelete).toBe(
      'Only a manager can delete this record, because the fellow who added it has left',
    )
    const { body: shown } = await manager.client.get(`/api/records/${other.id}/finders`)
    expect(shown.map((one: { fellow: { name: string } }) => one.fellow.name)).toEqual([manager.account.name, former])
    const { body: history } = await manager.client.get(`/api/founders/${record.id}/history`)
    expect(history.at(-1)).toMatchObject({ by: former, action: 'create' })
    expect(history.at(-1).changes).not.toEqual([])
    const [entry] = await test.db.select().from(auditLog).where(sql`action = 'account-erase' and object_id = ${id}`)
    expect(entry).toMatchObject({ accountId: manager.account.id, accountEmail: manager.account.email })
    const { body: counted } = await manager.client.get('/api/dashboard')
    expect(counted.fellows.find((one: { createdBy: string }) => one.createdBy === former)).toMatchObject({
      founders: 2,
    })
  })

  it('ends every way to sign in: sessions, password, second factor, links and invitations', async () => {
    const quill = await leaver()
    const { id, email } = quill.account
    await test.db.execute(sql`insert into two_factors (account_id, secret, confirmed_at) values (${id}, 'x', now())`)
    await test.db.execute(sql`insert into recovery_codes (account_id, hash) values (${id}, 'x')`)
    await test.db.execute(
      sql`insert into one_time_tokens (hash, purpose, account_id, expires_at) values (${id}, 'reset', ${id}, now() + interval '1 day')`,
    )
    await test.db
      .insert(invitations)
      .values({ id: uuidv7(), hash: id, expiresAt: new Date(Date.now() + 9e6), createdBy: id })
    await test.db.execute(
      sql`insert into credentials (id, account_id, provider, provider_account) values (${uuidv7()}, ${id}, 'google', 'g')`,
    )
    await erase(quill)
    for (const table of [
      'sessions',
      'credentials',
      'two_factors',
      'recovery_codes',
      'one_time_tokens',
      'idempotency_keys',
    ]) {
      expect(await rowsOf(test.db, sql`select from ${sql.identifier(table)} where account_id = ${id}`)).toEqual([])
    }
    expect(await rowsOf(test.db, sql`select from invitations where created_by = ${id}`)).toEqual([])
    expect((await quill.client.get('/api/founders')).status).toBe(401)
    for (const address of [email, '']) {
      const { status } = await test.visitor().post('/api/auth/login', { email: address, password: PASSWORD })
      expect([400, 401]).toContain(status)
    }
  })

  it('keeps a number of its own for each, which stays', async () => {
    const [one, two] = [await leaver(), await leaver()]
    const names = [await erase(one), await erase(two)]
    expect(new Set(names).size).toBe(2)
    const { body } = await manager.client.get('/api/programme/people?search=Former')
    const listed = body.find((person: { name: string }) => person.name === names[1])
    expect(listed).toMatchObject({ email: '', role: 'fellow', state: 'erased', can: [], canChange: [] })
    for (const act of ['enable', 'make-manager', 'approve', 'erase']) {
      expect((await manager.client.post(`/api/programme/people/${listed.id}/${act}`)).status).toBe(409)
    }
    expect((await manager.client.patch(`/api/programme/people/${listed.id}`, { name: 'Back' })).status).toBe(409)
    expect(await rowOf(two)).toMatchObject({ name: names[1], role: 'fellow', disabledAt: expect.any(Date) })
    expect((await manager.client.get('/api/fellows?search=Former')).body).toEqual([])
  })

  it('refuses the address at a sign-up, in any spelling, until a manager allows it', async () => {
    const quill = await leaver({ email: 'quill.x.free@mit.edu' })
    await erase(quill)
    const spellings = ['quill.x.free@mit.edu', 'Quillxfree+again@mit.edu']
    for (const email of spellings) {
      expect((await test.visitor().post('/api/auth/check-user', { email })).status).toBe(403)
      expect((await register(email)).status).toBe(403)
    }
    expect((await register('quillxfreed@mit.edu')).status).toBe(201)
    expect((await manager.client.post('/api/programme/allow', { email: 'quillxfree@mit.edu' })).status).toBe(204)
    expect((await register('quill.x.free@mit.edu')).status).toBe(201)
  })

  it('leaves its records to managers to delete; without one to fellows who have found them', async () => {
    const [quill, ann] = [await leaver(), await fellowOf(test)]
    const [mine, other] = [
      await makeFounder(test.db, { creator: quill.account }),
      await makeFounder(test.db, { creator: quill.account }),
    ]
    await makeNote(test.db, { founder: mine.id, author: ann.account })
    await erase(quill)
    const can = async ({ client }: Fellow) => (await client.get(`/api/founders/${mine.id}`)).body.can
    expect(await can(ann)).toMatchObject({ edit: true, delete: false })
    expect((await ann.client.delete(`/api/founders/${mine.id}`)).status).toBe(403)
    await test.db.update(accounts).set({ role: 'fellow' }).where(eq(accounts.role, 'manager'))
    expect(await can(ann)).toMatchObject({ delete: true })
    expect((await ann.client.delete(`/api/founders/${mine.id}`)).status).toBe(204)
    expect((await ann.client.delete(`/api/founders/${other.id}`)).status).toBe(403)
    await test.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, manager.account.id))
    expect((await manager.client.delete(`/api/founders/${other.id}`)).status).toBe(204)
  })

  it('is for managers who have proven who they are, not for oneself, and not of the last manager', async () => {
    const [quill, ann] = [await leaver(), await fellowOf(test)]
    expect((await eraseBy(ann, quill)).status).toBe(403)
    expect((await eraseBy(manager, manager)).status).toBe(409)
    const second = await fellowOf(test, { role: 'manager' })
    await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, manager.account.id))
    expect((await eraseBy(second, second)).status).toBe(409)
    await test.db.update(accounts).set({ disabledAt: null }).where(eq(accounts.id, manager.account.id))
    await test.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.accountId, manager.account.id))
    expect(await eraseBy(manager, quill)).toMatchObject({ status: 403, body: { code: 'confirm' } })
    await test.db.update(sessions).set({ confirmedAt: new Date() }).where(eq(sessions.accountId, manager.account.id))
    expect((await rowOf(quill))?.email).toBe(quill.account.email)
    expect((await eraseBy(manager, second)).status).toBe(200)
    expect(await rowOf(second)).toMatchObject({ role: 'fellow', email: '' })
  })

  it('leaves one of two managers who erase each other at the same time', { tags: 'slow' }, async () => {
    const second = await fellowOf(test, { role: 'manager' })
    const both = await whileHeld(
      test.db,
      sql`select from accounts where id in (${manager.account.id}, ${second.account.id}) for update`,
      () => Promise.all([eraseBy(manager, second), eraseBy(second, manager)]),
      { waiting: 2 },
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    if (both[0]?.status !== 200) manager = second
  })

  it('is shown as the one who acted, in every history and list, by the name of the account', async () => {
    const quill = await leaver({ role: 'manager' })
    const { body: record } = await quill.client.post('/api/founders', {
      ...{ name: 'Acted On', linkedIn: 'https://linkedin.com/in/acted-on', notes: 'Met' },
    })
    await quill.client.get('/api/founders/export?format=csv&mine=true')
    const former = await erase(quill)
    const who = async (path: string, find: (row: Record<string, unknown>) => boolean) => {
      const row = (await manager.client.get(path)).body.find(find)
      return typeof row?.by === 'object' ? row.by?.name : row?.by
    }
    const isAct = ({ objectId }: Record<string, unknown>) => objectId === record.id
    expect(await who('/api/programme/history', isAct)).toBe(former)
    expect(await who('/api/programme/history', ({ action, by }) => action === 'export' && by === former)).toBe(former)
    expect(await who(`/api/founders/${record.id}/history`, () => true)).toBe(former)
    const file = (await manager.client.get('/api/programme/history/export')).text
    expect(file.split('\n').find((line) => line.includes(record.id))).toContain(`,${former},`)
    const exported = await listExports(test.db, new Date(0).toISOString())
    expect(exported.map(({ by }) => by)).toContain(former)
    // What the operator reads.
    expect(await searchAuditLog(test.db, { id: record.id }, 1)).toMatchObject([{ accountEmail: former }])
  })

  it('leaves a name that another account has as it is', async () => {
    const [quill] = [await leaver({ name: 'Sam Twice' }), await leaver({ name: 'Sam Twice' })]
    const record = await makeFounder(test.db, { creator: manager.account })
    await test.db.update(records).set({ creatorId: null, creatorText: 'Sam Twice' }).where(eq(records.id, record.id))
    await erase(quill)
    expect((await manager.client.get(`/api/founders/${record.id}`)).body.createdBy).toBe('Sam Twice')
  })

  it('is in the ledger, as ids, a number and a keyed hash', async () => {
    const quill = await leaver()
    const former = await erase(quill)
    const lines = await listLines(test.db)
    expect(lines.findLast(({ kind }) => kind === 'fellow')).toMatchObject({
      account: quill.account.id,
      number: Number(former.split(' ').at(-1)),
      plain: { hashes: [(await rowOf(quill))?.plainHash] },
    })
    expect(JSON.stringify(await test.db.select().from(ledger))).not.toMatch(/quill|mit\.edu/i)
  })
})
