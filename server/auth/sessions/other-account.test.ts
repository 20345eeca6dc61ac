import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, sessions } from '#server/db/schema.ts'
import { everyRow } from '#server/db/test/every-row.ts'
import { bodyOf, type Call, everyCall, isChange, isPublic, makeWorld } from '#server/test/calls.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// A page belongs to an account. Goes through all calls of the product's own description, including future ones.

let test: TestApp
let calls: Call[]
beforeAll(async () => {
  test = await startTestApp()
  calls = await everyCall(test.visitor())
})
afterAll(() => test.close())

/** A signed-in manager, and the public id of the account. */
const signedIn = async () => {
  const account = await makeAccount(test.db, { role: 'manager' })
  const client = test.visitor()
  await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
  const [row] = await test.db.select().from(accounts).where(eq(accounts.id, account.id))
  return { account, client, publicId: String(row?.publicId) }
}

const tokenOf = (client: TestClient) => ({ 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '' })

const payloadOf = (call: Call, body: object = bodyOf(call)) => {
  if (!isChange(call)) return {}
  return call.path === '/api/imports'
    ? { headers: { 'content-type': 'application/octet-stream' }, payload: 'name\nAda' }
    : { payload: body }
}

const send = (client: TestClient, call: Call, url: string, headers: Record<string, string>, body?: object) => {
  const { headers: more, ...payload } = payloadOf(call, body)
  return client.raw({ method: call.method, url, ...payload, headers: { ...more, ...headers } })
}

const signedInCalls = () => calls.filter((call) => !isPublic(call) && !call.path.startsWith('/api/auth/'))

describe('A call of a page that belongs to another account than the session', () => {
  it('is 409, whatever call it is: nothing is done, and nothing is marked as read', { tags: 'slow' }, async () => {
    const [ada, grace] = [await signedIn(), await signedIn()]
    const { about } = await makeWorld(test.db, grace.account)
    // The session is old enough to be renewed, and a refused call does not renew it.
    await test.db.update(sessions).set({ expiresAt: new Date(Date.now() + 60_000) })
    const before = await everyRow(test.db)
    const chosen = signedInCalls()
    expect(chosen.length).toBeGreaterThan(100)
    for (const call of chosen) {
      const answer = await send(grace.client, call, about(call), {
        ...tokenOf(grace.client),
        'x-account': ada.publicId,
      })
      expect([call.method, call.path, answer.status, answer.body]).toEqual([
        ...[call.method, call.path, 409],
        {
          error: `This browser is signed in as ${grace.account.email} now. Nothing was done for this page.`,
          code: 'other_account',
        },
      ])
    }
    expect(await everyRow(test.db)).toEqual(before)
  })

  it.each([
    ['empty', () => ''],
    ['no id', () => 'ada'],
    ['both accounts', (ada: string, grace: string) => `${grace}, ${ada}`],
    ['the id inside of the server', (_ada: string, _grace: string, id: string) => id],
  ])('is 409 when the header is %s', async (_what, named) => {
    const [ada, grace] = [await signedIn(), await signedIn()]
    const header = named(ada.publicId, grace.publicId, grace.account.id)
    const answer = await grace.client.get('/api/founders', { headers: { 'x-account': header } })
    expect([answer.status, answer.body.code]).toEqual([409, 'other_account'])
  })

  it('is refused after the token and the session, and before the shape, for every call', { tags: 'slow' }, async () => {
    const [ada, grace] = [await signedIn(), await signedIn()]
    const { about } = await makeWorld(test.db, grace.account)
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    const header = { 'x-account': ada.publicId }
    const shapeless = (call: Call) => `${about(call)}${about(call).includes('?') ? '&' : '?'}colour=9`
    for (const call of signedInCalls()) {
      const statuses = []
      if (isChange(call)) statuses.push((await send(grace.client, call, about(call), header)).body.code)
      statuses.push((await send(visitor, call, about(call), { ...tokenOf(visitor), ...header })).status)
      const answer = await send(grace.client, call, shapeless(call), { ...tokenOf(grace.client), ...header }, [])
      statuses.push(answer.body.code)
      expect([call.path, ...statuses]).toEqual([
        call.path,
        ...(isChange(call) ? ['forgery'] : []),
        401,
        'other_account',
      ])
    }
  })
})

describe('A live stream', () => {
  it('names the account of its page in its address', async () => {
    const [ada, grace] = [await signedIn(), await signedIn()]
    const ofAda = await grace.client.get(`/api/events?account=${ada.publicId}`)
    expect([ofAda.status, ofAda.body.code]).toEqual([409, 'other_account'])
    expect((await grace.client.get(`/api/founders?account=${grace.publicId}`)).status).toBe(400)
  })
})

describe('The account of a page', () => {
  it('is not looked at under /api/auth', async () => {
    const [ada, grace] = [await signedIn(), await signedIn()]
    const header = { 'x-account': ada.publicId }
    const ofAuth = calls.filter(({ path }) => path.startsWith('/api/auth/') && !path.endsWith('/logout'))
    expect(ofAuth.length).toBeGreaterThan(8)
    for (const call of ofAuth) {
      const answer = await send(grace.client, call, call.path, { ...tokenOf(grace.client), ...header })
      expect([call.path, answer.status === 409, answer.body?.code]).not.toEqual([call.path, true, 'other_account'])
    }
    expect((await grace.client.post('/api/auth/logout', undefined, { headers: header })).status).toBe(204)
  })

  it('need not be sent: then the session alone counts', async () => {
    const { client, publicId } = await signedIn()
    expect((await client.get('/api/founders')).status).toBe(200)
    expect((await client.get('/api/founders', { headers: { 'x-account': publicId } })).status).toBe(200)
  })

  it('is in the current user, with an id of the sign-in, which is another one at each sign-in', async () => {
    const { account, client, publicId } = await signedIn()
    const { body: first } = await client.get('/api/auth/me')
    expect(first).toMatchObject({ user: { email: account.email }, account: publicId, signIn: expect.any(String) })
    expect((await client.get('/api/auth/me')).body).toEqual(first)
    await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
    const { body: second } = await client.get('/api/auth/me')
    expect([second.account, second.signIn === first.signIn]).toEqual([publicId, false])
  })

  it('keeps its sign-in when a new password replaces the session', async () => {
    const { client } = await signedIn()
    const { body: before } = await client.get('/api/auth/me')
    const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }
    expect((await client.post('/api/account/password', change)).status).toBe(204)
    expect((await client.get('/api/auth/me')).body).toEqual(before)
  })
})
