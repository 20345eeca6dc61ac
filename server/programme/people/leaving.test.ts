import { and, eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts, attempts, auditLog, invitations, oneTimeTokens, sessions } from '#server/db/schema.ts'
import { makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
// Without a manager, unless a test adds one.
beforeEach(() => test.db.update(accounts).set({ role: 'fellow' }))

const PATH = '/api/programme/people/leave'
const UNKNOWN = '01900000-0000-7000-8000-000000000009'

type Fellow = Awaited<ReturnType<typeof fellow>>
const fellow = async (overrides: Parameters<typeof fellowOf>[1] = {}) => {
  const made = await fellowOf(test, overrides)
  const [row] = await test.db
    .select({ publicId: accounts.publicId })
    .from(accounts)
    .where(eq(accounts.id, made.account.id))
  return { ...made, publicId: row?.publicId ?? '' }
}
const manager = () => fellow({ role: 'manager' })
const leave = ({ client }: Fellow, ...people: Pick<Fellow, 'publicId'>[]) =>
  client.post(PATH, { ids: people.map(({ publicId }) => publicId) })
const rowOf = async ({ account }: Fellow) =>
  (await test.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]
const stateOf = async ({ client }: Fellow, { account }: Fellow) =>
  (await client.get(`/api/programme/people?search=${account.email}`)).body[0].state
/** With a token for a browser whose session has ended. */
async function login({ account, client }: Fellow, password = PASSWORD) {
  await client.get('/api/auth/me')
  return client.post('/api/auth/login', { email: account.email, password })
}

describe('Leaving', () => {
  it('is counted first: records that each person added, found and noted', async () => {
    const [mine, ann, bob] = [await manager(), await fellow({ name: 'Ann' }), await fellow({ name: 'Bob' })]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await makeFounder(test.db, { creator: ann.account })
    await bob.client.post(`/api/records/${id}/finders`, {})
    await makeNote(test.db, { founder: id, author: bob.account })
    await bob.client.put(`/api/records/${id}/pipeline`, { responsible: bob.publicId, version: 0 })
    const { status, body } = await mine.client.get(`${PATH}?ids=${bob.publicId},${ann.publicId}`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        ...{ id: ann.publicId, name: 'Ann', email: ann.account.email, created: 2, found: 0, notes: 0 },
        ...{ responsible: 0, unassigned: 1 },
      },
      {
        ...{ id: bob.publicId, name: 'Bob', email: bob.account.email, created: 0, found: 1, notes: 1 },
        ...{ responsible: 1, unassigned: 0 },
      },
    ])
    expect((await mine.client.get(`${PATH}?ids=${UNKNOWN}`)).status).toBe(404)
    expect((await mine.client.get(`${PATH}?ids=ann`)).status).toBe(400)
  })

  it('ends sessions, links, known browsers and open invitations, and keeps what they added as theirs', async () => {
    const [mine, ann] = [await manager(), await manager()]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await ann.client.post('/api/programme/invitations', {})
    await mine.client.post(`/api/programme/people/${ann.publicId}/demote`)
    await test.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, ann.account.id))
    await ann.client.post('/api/programme/invitations', {})
    await test.db
      .insert(oneTimeTokens)
      .values({ hash: 'h', purpose: 'reset', accountId: ann.account.id, expiresAt: new Date(Date.now() + 60_000) })
    expect((await leave(mine, ann)).body).toEqual([{ id: ann.publicId }])
    expect(await test.db.$count(sessions, eq(sessions.accountId, ann.account.id))).toBe(0)
    expect(await test.db.$count(oneTimeTokens, eq(oneTimeTokens.accountId, ann.account.id))).toBe(0)
    expect(await test.db.$count(invitations, eq(invitations.createdBy, ann.account.id))).toBe(0)
    expect((await ann.client.get('/api/auth/me')).status).toBe(401)
    expect((await login(ann)).body.error).toBe('This account is disabled. Ask an administrator.')
    expect(await stateOf(mine, ann)).toBe('left')
    const record = (await mine.client.get(`/api/founders/${id}`)).body
    expect(record.createdBy).toBe(ann.account.name)
    expect(record.finders.names).toEqual([ann.account.name])
    const [entry] = await test.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'account-leave'), eq(auditLog.objectId, ann.account.id)))
    expect(entry).toMatchObject({ accountId: mine.account.id, detail: { email: ann.account.email } })
  })

  it('is another state than disabled, and is taken back: the person signs in again, from a browser that is new', async () => {
    const [mine, ann] = [await manager(), await fellow()]
    await login(ann)
    const known = ann.client.cookies.get('device')
    await mine.client.post(`/api/programme/people/${ann.publicId}/disable`)
    expect(await stateOf(mine, ann)).toBe('disabled')
    await leave(mine, ann)
    expect(await stateOf(mine, ann)).toBe('left')
    await mine.client.post(`/api/programme/people/${ann.publicId}/enable`)
    expect(await rowOf(ann)).toMatchObject({ leftAt: null, disabledAt: null })
    await login(ann, 'not the password')
    const counted = await test.db
      .select()
      .from(attempts)
      .where(like(attempts.key, `password ${ann.account.email} %`))
    expect(counted.map(({ key }) => key)).toEqual([`password ${ann.account.email} from 127.0.0.1`])
    expect((await login(ann)).status).toBe(200)
    expect(ann.client.cookies.get('device')).not.toBe(known)
  })

  it('takes several people or none: unknown ones and the last managers refuse all', async () => {
    const [one, other, ann] = [await manager(), await manager(), await fellow()]
    expect((await leave(one, ann, { publicId: UNKNOWN })).body.error).toBe('There is no such person')
    const last = await leave(one, ann, one, other)
    expect([last.status, last.body.error]).toEqual([
      409,
      'This is the last manager. Make another person a manager first.',
    ])
    expect(await stateOf(one, ann)).toBe('active')
    expect((await leave(one, ann, other)).status).toBe(200)
    expect([await stateOf(one, ann), await stateOf(one, other)]).toEqual(['left', 'left'])
    const again = await rowOf(ann)
    expect((await leave(one, ann)).status).toBe(200)
    expect(await rowOf(ann)).toEqual(again)
  })

  it('leaves one manager when two make each other leave at once', async () => {
    const [one, other] = [await manager(), await manager()]
    const both = await Promise.all([leave(one, other), leave(other, one)])
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200])
    expect(await test.db.$count(accounts, and(eq(accounts.role, 'manager'), eq(accounts.id, one.account.id)))).toBe(1)
    const left = [await rowOf(one), await rowOf(other)].filter((row) => row?.leftAt)
    expect(left.length).toBeLessThan(2)
  })

  it('gives what they are responsible for to one fellow who stays, or to no one', { tags: 'slow' }, async () => {
    const [mine, ann, bob, cyd] = [await manager(), await fellow(), await fellow(), await fellow({ name: 'Cyd' })]
    const { id: created } = await makeFounder(test.db, { creator: ann.account })
    const { id: given } = await makeFounder(test.db, { creator: mine.account })
    await ann.client.put(`/api/records/${given}/pipeline`, { responsible: ann.publicId, version: 0 })
    const ids = [ann.publicId, bob.publicId]
    for (const responsible of [bob.publicId, UNKNOWN]) {
      const { status, body } = await mine.client.post(PATH, { ids, responsible })
      expect([status, body.fields]).toEqual([400, { responsible: 'Choose a fellow who stays' }])
    }
    expect(await stateOf(mine, ann)).toBe('active')
    expect((await mine.client.post(PATH, { ids, responsible: cyd.publicId })).status).toBe(200)
    const nameOf = async (id: string) =>
      (await mine.client.get(`/api/records/${id}/pipeline`)).body.responsible?.name ?? null
    expect(await Promise.all([created, given].map(nameOf))).toEqual(['Cyd', 'Cyd'])
    expect((await mine.client.post(PATH, { ids: [cyd.publicId] })).status).toBe(200)
    expect(await Promise.all([created, given].map(nameOf))).toEqual([null, null])
    expect((await mine.client.get(`/api/founders/${created}`)).body.createdBy).toBe(ann.account.name)
  })

  it('asks for the password 15 minutes after the last time', async () => {
    const [mine, ann] = [await manager(), await fellow()]
    expect((await mine.client.post(PATH, { ids: [] })).status).toBe(400)
    await test.db
      .update(sessions)
      .set({ confirmedAt: new Date(Date.now() - 16 * 60_000) })
      .where(eq(sessions.accountId, mine.account.id))
    expect((await leave(mine, ann)).body.code).toBe('confirm')
    expect(await stateOf(mine, ann)).toBe('active')
  })
})

describe('A record whose creator has left', () => {
  const AFTER_LEAVING = 'Only a manager can delete this record, because the fellow who added it has left'

  it.each(['founders', 'companies'])('is deleted by a manager only, not after disabling alone: %s', async (path) => {
    const [mine, ann, bob] = [await manager(), await fellow(), await fellow()]
    const body = { name: 'A', notes: 'n', ...(path === 'founders' && { linkedIn: 'https://www.linkedin.com/in/x' }) }
    const { id } = (await ann.client.post(`/api/${path}`, body)).body
    await bob.client.post(`/api/records/${id}/finders`, {})
    const whyNot = async () => (await bob.client.get(`/api/${path}/${id}`)).body.can.whyNotDelete
    await mine.client.post(`/api/programme/people/${ann.publicId}/disable`)
    expect(await whyNot()).toBe('Only the fellow who added this record can delete it')
    await leave(mine, ann)
    expect(await whyNot()).toBe(AFTER_LEAVING)
    const [listed] = (await bob.client.get(`/api/${path}?limit=1`)).body
    expect(listed.can).toEqual({ edit: true, delete: false, whyNotDelete: AFTER_LEAVING })
    expect(await bob.client.delete(`/api/${path}/${id}`)).toMatchObject({ status: 403, body: { error: AFTER_LEAVING } })
    expect((await mine.client.delete(`/api/${path}/${id}`)).status).toBe(204)
  })

  it('is deleted by those who have it in My Records while there is no manager', async () => {
    const [ann, bob, cyd] = [await fellow(), await fellow(), await fellow()]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await bob.client.post(`/api/records/${id}/finders`, {})
    await test.db
      .update(accounts)
      .set({ leftAt: new Date(), disabledAt: new Date() })
      .where(eq(accounts.id, ann.account.id))
    expect((await cyd.client.get(`/api/founders/${id}`)).body.can.whyNotDelete).toBe(
      'Only fellows who have found this record or have a note on it can delete it',
    )
    expect((await bob.client.delete(`/api/founders/${id}`)).status).toBe(204)
  })

  it('counts as theirs where it was imported under their address, and is theirs again once they are back', async () => {
    const [mine, ann] = [await manager(), await fellow({ emailVerified: true })]
    const { id } = await makeFounder(test.db)
    await test.db.execute(
      `update records set creator_id = null, creator_text = '${ann.account.email}' where id = '${id}'`,
    )
    await test.db.execute(`select rebuild_record('${id}')`)
    const bob = await fellow()
    const whyNot = async () => (await bob.client.get(`/api/founders/${id}`)).body.can.whyNotDelete
    expect(await whyNot()).toBe('Only the fellow who added this record can delete it')
    await leave(mine, ann)
    expect(await whyNot()).toBe(AFTER_LEAVING)
    await mine.client.post(`/api/programme/people/${ann.publicId}/enable`)
    await login(ann)
    expect((await ann.client.delete(`/api/founders/${id}`)).status).toBe(204)
  })
})
