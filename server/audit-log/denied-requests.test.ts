import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { auditLog, deniedRequests } from '#server/db/schema.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
/** The number of rows that earlier tests wrote. */
let earlier: number
beforeAll(async () => {
  test = await startTestApp({ THROTTLE_ACCOUNT_FREE: '1' })
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.db.delete(deniedRequests)
  earlier = (await everRefused()).length
})

const everRefused = ({ db } = test) =>
  db.select().from(auditLog).where(eq(auditLog.result, 'refused')).orderBy(auditLog.at, auditLog.id)

const refused = async () => (await everRefused()).slice(earlier)

const refusedToVisitors = ({ db } = test) =>
  db.select().from(deniedRequests).orderBy(deniedRequests.at, deniedRequests.id)

const fellow = () => fellowOf(test)

const DAY_MS = 86_400_000

describe('A denied request writes one row', () => {
  it('403: with account, action, record, network address and request', async () => {
    const { account, client } = await fellow()
    const { id } = await makeFounder(test.db)
    const company = await makeCompany(test.db)
    const note = await makeNote(test.db, { company: company.id })
    await client.delete(`/api/founders/${id}`)
    await client.put(`/api/companies/${company.id}`, { rating: 1 })
    await client.delete(`/api/notes/company/${company.id}/${note.id}`)
    const who = { accountId: account.id, accountEmail: account.email, ip: '127.0.0.1', requestId: expect.any(String) }
    expect(await refused()).toMatchObject([
      {
        ...who,
        action: 'delete',
        kind: 'founder',
        objectId: id,
        detail: { method: 'DELETE', path: `/api/founders/${id}`, status: 403 },
      },
      { ...who, action: 'update', kind: 'company', objectId: company.id },
      { ...who, action: 'delete-note', kind: 'company', objectId: company.id },
    ])
  })

  it('a forged change, and a change without a session', async () => {
    const { id } = await makeFounder(test.db)
    await test.visitor().raw({ method: 'DELETE', url: `/api/founders/${id}` })
    await test.visitor().post(`/api/founders/${id}/refresh`)
    expect(await refusedToVisitors()).toMatchObject([
      { action: 'delete', kind: 'founder', objectId: id, ip: '127.0.0.1', detail: { status: 403 } },
      { action: 'enrich', kind: 'founder', objectId: id, requestId: expect.any(String), detail: { status: 401 } },
    ])
  })

  it('in a separate table for visitors who are not signed in, and not in the audit log', async () => {
    const { account } = await fellow()
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email: account.email, password: 'not the password' })
    await visitor.post('/api/founders', {})
    expect(await refusedToVisitors()).toMatchObject([
      { action: 'login', accountEmail: account.email },
      { action: 'create', accountEmail: null },
    ])
    expect(await refused()).toEqual([])
  })

  it('429: after too many attempts', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: 'wrong once' })
    await visitor.post('/api/auth/login', { email, password: 'wrong twice' })
    const rows = await refusedToVisitors()
    expect(rows.map(({ detail }) => detail?.status)).toEqual([401, 429])
    expect(rows.map(({ accountEmail }) => accountEmail)).toEqual([email, email])
  })

  it('but not for reading while signed out, nor for what does not exist or is invalid', async () => {
    const { client } = await fellow()
    await test.visitor().get('/api/founders')
    await test.visitor().get('/api/auth/me')
    await client.get('/api/founders/x')
    await client.post('/api/founders', {})
    expect([...(await refused()), ...(await refusedToVisitors())]).toEqual([])
  })

  it('gets its response also when the row cannot be written', async () => {
    const { client } = await fellow()
    const { id } = await makeFounder(test.db)
    await test.db.execute(sql`alter table audit_log rename to away`)
    expect((await client.delete(`/api/founders/${id}`)).status).toBe(403)
    await test.db.execute(sql`alter table away rename to audit_log`)
  })

  it('gets its response also when the row of a visitor cannot be written', async () => {
    await test.db.execute(sql`alter table denied_requests rename to away`)
    expect((await test.visitor().post('/api/founders', {})).status).toBe(401)
    await test.db.execute(sql`alter table away rename to denied_requests`)
  })
})

describe('The denied requests of visitors', () => {
  it('are deleted after 90 days by the hourly upkeep', { tags: 'slow' }, async () => {
    await test.db.insert(deniedRequests).values([
      { action: 'login', accountEmail: 'old@mit.edu', at: new Date(Date.now() - 91 * DAY_MS) },
      { action: 'login', accountEmail: 'recent@mit.edu', at: new Date(Date.now() - 89 * DAY_MS) },
    ])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const again = await test.startAgain()
    vi.advanceTimersByTime(3_600_000)
    vi.useRealTimers()
    await expect
      .poll(async () => (await refusedToVisitors()).map((row) => row.accountEmail))
      .toEqual(['recent@mit.edu'])
    await again.close()
  })
})

describe('Refused requests cannot fill the disk', () => {
  /** Each process counts for itself, and writes the rest when it stops. */
  let busy: TestApp
  beforeEach(async () => {
    busy = await startTestApp()
  })
  afterEach(() => busy.close())

  it('20 per minute of one caller are written, and the rest as one count', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(busy)
    const { id } = await makeFounder(busy.db)
    for (let count = 0; count < 30; count += 1) await client.delete(`/api/founders/${id}`)
    expect(await everRefused(busy)).toHaveLength(20)
    await busy.app.close()
    expect((await everRefused(busy)).at(-1)).toMatchObject({
      accountId: account.id,
      action: 'request',
      detail: { more: 10, within: '1 minute' },
    })
  })

  it('100 per minute of callers who are not signed in are written, from any number of networks', {
    tags: 'slow',
  }, async () => {
    const visitor = busy.visitor()
    await visitor.get('/api/auth/me')
    const attempts = Array.from({ length: 700 }, (_, index) => `10.${index % 250}.${Math.floor(index / 250)}.1`)
    for (const ip of attempts) await visitor.post('/api/founders', {}, { ip })
    expect(await refusedToVisitors(busy)).toHaveLength(100)
    await busy.app.close()
    const rows = (await refusedToVisitors(busy)).slice(100)
    // One row for each separate caller, and one for all others.
    expect(rows.length).toBeLessThanOrEqual(201)
    expect(rows.reduce((sum, { detail }) => sum + Number(detail?.more), 0)).toBe(600)
    expect(rows.at(-1)).toMatchObject({ ip: null, detail: { more: 500 } })
  })
})
