import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, sessions } from '#server/db/schema.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { openIssuer, type TestIssuer } from './test/open-issuer.ts'

let issuer: TestIssuer
let test: TestApp
beforeAll(async () => {
  issuer = await openIssuer()
  test = await startTestApp({ ...issuer.settings })
})
afterAll(async () => {
  await test.close()
  await issuer.close()
})

let number = 0
/** Goes to the issuer and comes back. Returns where that leads. */
async function signOn(client: TestClient, query = '') {
  const begun = await client.get(`/api/auth/sso/oidc${query}`)
  const location = String(begun.headers.location)
  if (!location.startsWith('http')) return { asked: undefined, leadTo: location }
  const back = new URL(await issuer.visit(location))
  const answer = await client.get(back.pathname + back.search)
  return { asked: new URL(location).searchParams, leadTo: answer.headers.location }
}

/** A manager without a password, whose session was confirmed 16 minutes ago. */
async function managerBySignOn() {
  number += 1
  const claims = { sub: `manager-${number}`, email: `sso.manager${number}@mit.edu`, email_verified: true, name: 'Mira' }
  issuer.says(claims)
  const client = test.visitor()
  await signOn(client)
  const [account] = await test.db.select().from(accounts).where(eq(accounts.email, claims.email))
  const id = account?.id ?? ''
  await test.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, id))
  await letExpire(id)
  return { claims, client, id, isConfirmed: async () => (await act(client)).status === 200 }
}

const letExpire = (accountId: string) =>
  test.db
    .update(sessions)
    .set({ confirmedAt: new Date(Date.now() - 16 * 60_000) })
    .where(eq(sessions.accountId, accountId))
const act = (client: TestClient) => client.put('/api/programme/sign-up', { mode: 'open', domains: [] })
const CONFIRM = '?confirm=true'

describe('GET /auth/sso/{id}?confirm=true', () => {
  it('confirms the session of an account without a password, which signs in at the issuer again', async () => {
    const { client, isConfirmed } = await managerBySignOn()
    expect((await act(client)).body.code).toBe('confirm')
    const session = client.cookies.get('session')
    const { asked, leadTo } = await signOn(client, CONFIRM)
    expect([asked?.get('prompt'), asked?.get('max_age')]).toEqual(['login', '0'])
    expect(leadTo).toBe('/auth/confirmed')
    expect(client.cookies.get('session')).toBe(session)
    expect(await isConfirmed()).toBe(true)
  })

  it('does not confirm it by another identity, not even one with the same address', async () => {
    const { client, claims, isConfirmed } = await managerBySignOn()
    issuer.says({ ...claims, sub: 'someone else' })
    expect((await signOn(client, CONFIRM)).leadTo).toBe('/auth/confirmed?error=other_identity')
    expect(await isConfirmed()).toBe(false)
  })

  it('does not confirm it by a sign-in at the issuer from before', async () => {
    const { client, claims, isConfirmed } = await managerBySignOn()
    const now = Math.floor(Date.now() / 1000)
    issuer.says({ ...claims, auth_time: now - 600 })
    expect((await signOn(client, CONFIRM)).leadTo).toBe('/auth/confirmed?error=sso_failed')
    expect(await isConfirmed()).toBe(false)
    issuer.says({ ...claims, auth_time: now })
    expect((await signOn(client, CONFIRM)).leadTo).toBe('/auth/confirmed')
    expect(await isConfirmed()).toBe(true)
  })

  it('does not confirm another session than the one that asked', async () => {
    const one = await managerBySignOn()
    const begun = await one.client.get(`/api/auth/sso/oidc${CONFIRM}`)
    const back = new URL(await issuer.visit(String(begun.headers.location)))
    const other = await managerBySignOn()
    other.client.cookies.set('sso', one.client.cookies.get('sso') ?? '')
    const answer = await other.client.get(back.pathname + back.search)
    expect(answer.headers.location).toBe('/auth/confirmed?error=sso_failed')
    expect([await one.isConfirmed(), await other.isConfirmed()]).toEqual([false, false])
  })

  it('is not for accounts with a password, nor for visitors, and opens no session', async () => {
    const { client, account } = await fellowOf(test, { role: 'manager' })
    await letExpire(account.id)
    for (const caller of [client, test.visitor()]) {
      expect((await signOn(caller, CONFIRM)).leadTo).toBe('/auth/confirmed?error=sso_failed')
    }
    expect((await act(client)).body.code).toBe('confirm')
    expect((await test.visitor().get('/api/auth/sso/oidc?confirm=yes')).status).toBe(400)
  })
})
