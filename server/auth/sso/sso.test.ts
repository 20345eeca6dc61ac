import { asc, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signedToken } from '#server/auth/sessions/signed-token.ts'
import { openIssuer, type TestIssuer } from '#server/auth/sso/test/open-issuer.ts'
import { accounts, auditLog, credentials, recoveryCodes, twoFactors } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

const AUTH_SECRET = 'a secret that these tests know, of 32 characters or more'

let issuer: TestIssuer
let test: TestApp
beforeAll(async () => {
  issuer = await openIssuer()
  test = await startTestApp({ ...issuer.settings, TEAM_DOMAIN: 'team.example', AUTH_SECRET })
})
afterAll(async () => {
  await test.close()
  await issuer.close()
})

let number = 0
const identity = (more: Record<string, unknown> = {}) => {
  number += 1
  return {
    sub: `subject-${number}`,
    email: `sso${number}@mit.edu`,
    email_verified: true,
    name: 'Ada Lovelace',
    ...more,
  }
}

/** Goes to the issuer and comes back, like a browser. Returns the final address. */
async function signOn(client: TestClient = test.visitor()) {
  const begun = await client.get('/api/auth/sso/oidc')
  const back = await issuer.visit(String(begun.headers.location))
  const answer = await client.get(back.slice(new URL(back).origin.length))
  return { client, answer, back, leadTo: answer.headers.location }
}

/** Goes to the issuer only. Returns the path of its redirect back. */
async function begin(client: TestClient = test.visitor()) {
  const begun = await client.get('/api/auth/sso/oidc')
  const back = await issuer.visit(String(begun.headers.location))
  return { client, path: back.slice(new URL(back).origin.length) }
}

describe('GET /auth/sso/{id}', () => {
  it('redirects to the issuer with PKCE, state and nonce, and back to this product', async () => {
    const answer = await test.visitor().get('/api/auth/sso/oidc')
    expect(answer.status).toBe(302)
    const at = new URL(String(answer.headers.location))
    expect(at.origin).toBe(issuer.settings.OIDC_ISSUER)
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'sourcebook',
      scope: 'openid email profile',
      redirect_uri: 'http://localhost:3000/api/auth/sso/oidc/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const cookie = [answer.headers['set-cookie']].flat().find((line) => line?.startsWith('sso='))
    expect(cookie).toMatch(/HttpOnly/)
  })

  it.each(['google', 'microsoft', 'nonsense'])('returns 404 for %s, which is not set up', async (id) => {
    for (const path of [id, `${id}/callback?code=a&state=b`]) {
      expect(await test.visitor().get(`/api/auth/sso/${path}`)).toMatchObject({
        status: 404,
        body: { error: 'This sign-in method is not set up' },
      })
    }
  })

  it('redirects back with sso_failed when the issuer is unreachable', { tags: 'slow' }, async () => {
    const lost = await startTestApp({ ...issuer.settings, OIDC_ISSUER: 'http://127.0.0.1:1' })
    expect((await lost.visitor().get('/api/auth/sso/oidc')).headers.location).toBe('/auth?error=sso_failed')
    await lost.close()
  })
})

describe('Coming back from the issuer', () => {
  it('creates an account with a verified address and without a password, and signs in', async () => {
    const claims = identity({ email: 'Fresh.Person@MIT.edu' })
    issuer.says(claims)
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/')
    const { body } = await client.get('/api/account')
    expect(body).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'fresh.person@mit.edu' },
      emailVerified: true,
      hasPassword: false,
    })
  })

  it('writes audit entries for registering and signing in, with account, network address and request', async () => {
    const claims = identity()
    issuer.says(claims)
    await signOn()
    const rows = await test.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.accountEmail, claims.email))
      .orderBy(asc(auditLog.at), asc(auditLog.id))
    expect(rows.map(({ action }) => action)).toEqual(['register', 'login'])
    for (const { ip, accountId, objectId } of rows) {
      expect([ip, objectId]).toEqual(['127.0.0.1', accountId])
    }
    expect(rows[0]?.requestId).toMatch(/./)
    expect(rows[0]?.requestId).toBe(rows[1]?.requestId)
  })

  it('makes the browser known', async () => {
    issuer.says(identity())
    expect((await signOn()).client.cookies.has('device')).toBe(true)
  })

  it('creates no more accounts for a network than sign-up does', { tags: 'slow' }, async () => {
    const strict = await startTestApp({ ...issuer.settings, THROTTLE_SIGN_UP: '1' })
    const led: unknown[] = []
    for (let count = 0; count < 2; count += 1) {
      issuer.says(identity())
      led.push((await signOn(strict.visitor())).leadTo)
    }
    expect(led).toEqual(['/', '/auth?error=sso_failed'])
    await strict.close()
  })

  it('opens a session that can write', async () => {
    issuer.says(identity())
    const { client } = await signOn()
    expect((await client.post('/api/companies', { name: 'A', notes: 'n' })).status).toBe(201)
  })

  it('signs the same person in to the same account again, also under a new name', async () => {
    const claims = identity()
    issuer.says(claims)
    await signOn()
    issuer.says({ ...claims, name: 'Ada King' })
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user).toEqual({ name: 'Ada Lovelace', email: claims.email })
    expect(await test.db.select().from(accounts).where(eq(accounts.email, claims.email))).toHaveLength(1)
  })

  it('uses the address of a person whose name is empty', async () => {
    issuer.says(identity({ name: '\u200b' }))
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user.name).toBe(`sso${number}`)
  })

  it.each([
    ['Ada https://evil.com/login Lovelace', 'Ada Lovelace'],
    ['WWW.evil.com Ada', 'Ada'],
    ['Arjun s/o Kumar', 'Arjun s/o Kumar'],
    ['evil.com/login Ada', 'evil.com login Ada'],
    ['Ada Lovelace / MIT', 'Ada Lovelace MIT'],
  ])('uses the name %s without anything like a web address', async (name, taken) => {
    issuer.says(identity({ name }))
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user.name).toBe(taken)
  })

  it('uses the address of a person whose name is a web address', async () => {
    issuer.says(identity({ name: 'https://evil.com' }))
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user.name).toBe(`sso${number}`)
  })

  it('uses an address that is only in the user info', async () => {
    const { email, email_verified, ...claims } = identity()
    issuer.says(claims, { userInfo: { email, email_verified } })
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user.email).toBe(email)
  })

  it('ends the previous session, and does not accept a planted one', async () => {
    const account = await makeAccount(test.db)
    const client = test.visitor()
    await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
    const before = client.cookies.get('session') as string
    issuer.says(identity())
    await signOn(client)
    const replay = test.visitor()
    replay.cookies.set('session', before)
    expect((await replay.get('/api/auth/me')).status).toBe(401)
  })

  it.each([
    ['an address that may not join', { email: 'x@evil.com' }, 'not_allowed'],
    ['an address that only looks like one', { email: 'x@mit.edu.evil.com' }, 'not_allowed'],
    ['a sub-domain of the team', { email: 'x@sub.team.example' }, 'not_allowed'],
    ['an address that the issuer has not checked', { email_verified: false }, 'not_verified'],
    ['an issuer that does not say', { email_verified: undefined }, 'not_verified'],
    ['no address', { email: undefined }, 'not_verified'],
    ['a list of addresses', { email: ['a@mit.edu', 'x@evil.com'] }, 'not_verified'],
  ])('redirects back with an error for %s, and creates no account', async (_what, more, error) => {
    const before = await test.db.$count(accounts)
    issuer.says(identity(more))
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe(`/auth?error=${error}`)
    expect(client.cookies.has('session')).toBe(false)
    expect(await test.db.$count(accounts)).toBe(before)
  })

  it.each([
    ['another issuer', { iss: 'http://evil.example' }],
    ['another client', { aud: 'another-client' }],
    ['another nonce', { nonce: 'other' }],
    ['a token that has run out', { exp: 1 }],
  ])('redirects back with sso_failed for %s', async (_what, forged) => {
    issuer.says(identity(), { forged })
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/auth?error=sso_failed')
    expect(client.cookies.has('session')).toBe(false)
  })

  it('redirects back with sso_failed in a browser that did not start this sign-in', async () => {
    issuer.says(identity())
    const begun = await test.visitor().get('/api/auth/sso/oidc')
    const back = await issuer.visit(String(begun.headers.location))
    const path = back.slice(new URL(back).origin.length)
    expect((await test.visitor().get(path)).headers.location).toBe('/auth?error=sso_failed')
    const other = test.visitor()
    await other.get('/api/auth/sso/oidc')
    expect((await other.get(path)).headers.location).toBe('/auth?error=sso_failed')
  })

  it('accepts each redirect back once', async () => {
    issuer.says(identity())
    const { client, back } = await signOn()
    const path = back.slice(new URL(back).origin.length)
    expect((await client.get(path)).headers.location).toBe('/auth?error=sso_failed')
  })

  it.each(['', '?error=access_denied&state=x', '?code=a', '?code=a&state=b&code=c'])(
    'redirects back with sso_failed for %j',
    async (query) => {
      const client = test.visitor()
      await client.get('/api/auth/sso/oidc')
      expect((await client.get(`/api/auth/sso/oidc/callback${query}`)).headers.location).toBe('/auth?error=sso_failed')
    },
  )

  it.each([
    [599, '/'],
    [601, '/auth?error=sso_failed'],
  ])('%i seconds after the start redirects to %s', async (seconds, to) => {
    issuer.says(identity())
    const { client, path } = await begin()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
    try {
      expect((await client.get(path)).headers.location).toBe(to)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['oidc', '/'],
    ['google', '/auth?error=sso_failed'],
  ])('with an attempt that started at %s redirects to %s', async (id, to) => {
    issuer.says(identity())
    const { client, path } = await begin()
    const [kept = ''] = String(client.cookies.get('sso')).split('.')
    const attempt = JSON.parse(Buffer.from(kept, 'base64url').toString())
    const payload = Buffer.from(JSON.stringify({ ...attempt, id })).toString('base64url')
    client.cookies.set('sso', signedToken(payload, AUTH_SECRET))
    expect((await client.get(path)).headers.location).toBe(to)
  })

  it('refuses a cookie that the product did not sign', async () => {
    issuer.says(identity())
    const client = test.visitor()
    const begun = await client.get('/api/auth/sso/oidc')
    const back = await issuer.visit(String(begun.headers.location))
    client.cookies.set('sso', `x${client.cookies.get('sso')}`)
    expect((await client.get(back.slice(new URL(back).origin.length))).headers.location).toBe('/auth?error=sso_failed')
  })
})

describe('An existing account', () => {
  const url = () => issuer.settings.OIDC_ISSUER
  const claimsOf = (email: string) => identity({ email })
  const login = (email: string) => test.visitor().post('/api/auth/login', { email, password: PASSWORD })

  it('with a verified address keeps its password, its sessions and its name', async () => {
    const { id, email, name } = await makeAccount(test.db, { emailVerified: true })
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    issuer.says(claimsOf(email))
    const { client } = await signOn()
    expect((await client.get('/api/auth/me')).body.user).toEqual({ name, email })
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
    expect((await login(email)).status).toBe(200)
    expect(await test.db.$count(credentials, eq(credentials.accountId, id))).toBe(2)
  })

  it('with an unverified address passes to the owner of the address: the old password and sessions end', {
    tags: 'slow',
  }, async () => {
    const { id, email } = await makeAccount(test.db)
    const squatter = test.visitor()
    await squatter.post('/api/auth/login', { email, password: PASSWORD })
    const { secret } = (await squatter.post('/api/account/two-factor', { password: PASSWORD })).body
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    expect((await squatter.post('/api/account/two-factor/confirm', { code })).status).toBe(200)
    issuer.says(claimsOf(email))
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/')
    expect(await test.db.$count(twoFactors, eq(twoFactors.accountId, id))).toBe(0)
    expect(await test.db.$count(recoveryCodes, eq(recoveryCodes.accountId, id))).toBe(0)
    expect((await squatter.get('/api/auth/me')).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    expect((await client.get('/api/account')).body).toMatchObject({ emailVerified: true, hasPassword: false })
  })

  it('that is linked to a subject is not inherited by another subject of the issuer with its address', async () => {
    const claims = identity()
    issuer.says(claims)
    await signOn()
    issuer.says({ ...claims, sub: 'the next owner of the address' })
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/auth?error=other_identity')
    expect(client.cookies.has('session')).toBe(false)
    issuer.says(claims)
    expect((await signOn()).leadTo).toBe('/')
    expect(await test.db.$count(credentials, eq(credentials.providerAccount, `${url()} ${claims.sub}`))).toBe(1)
  })

  it('that is linked to an issuer configured earlier can also sign in with the current one', async () => {
    const { id, email } = await makeAccount(test.db, { emailVerified: true })
    const before = { provider: 'oidc', providerAccount: `${url()}.before.example 1` }
    await test.db.insert(credentials).values({ id: crypto.randomUUID(), accountId: id, ...before })
    issuer.says(claimsOf(email))
    expect((await signOn()).leadTo).toBe('/')
  })

  it('is not changed by an address that the issuer has not checked', async () => {
    const { email } = await makeAccount(test.db)
    issuer.says({ ...claimsOf(email), email_verified: false })
    expect((await signOn()).leadTo).toBe('/auth?error=not_verified')
    expect((await login(email)).status).toBe(200)
  })

  it('with a second factor does not need it: that is up to the issuer', async () => {
    const { id, email } = await makeAccount(test.db, { emailVerified: true })
    await test.db.insert(twoFactors).values({ accountId: id, secret: 'sealed', confirmedAt: new Date() })
    expect((await login(email)).body).toEqual({ action: 'two_factor' })
    issuer.says(claimsOf(email))
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/')
    expect((await client.get('/api/account')).body.twoFactor.enabled).toBe(true)
  })

  it('that is disabled redirects back with disabled, and is not changed', async () => {
    const { id, email } = await makeAccount(test.db)
    await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, id))
    issuer.says(claimsOf(email))
    const { client, leadTo } = await signOn()
    expect(leadTo).toBe('/auth?error=disabled')
    expect(client.cookies.has('session')).toBe(false)
    expect(await test.db.$count(credentials, eq(credentials.accountId, id))).toBe(1)
  })

  it('without a password cannot confirm with one, and the refusal gives the reason', async () => {
    issuer.says(identity())
    const { client } = await signOn()
    const sentence = 'This account has no password. It uses single sign-on.'
    const body = { currentPassword: PASSWORD, newPassword: 'an entirely new one' }
    expect((await client.post('/api/account/password', body)).body.fields).toEqual({ currentPassword: sentence })
    expect((await client.post('/api/account/two-factor', { password: PASSWORD })).body.fields).toEqual({
      password: sentence,
    })
  })
})
