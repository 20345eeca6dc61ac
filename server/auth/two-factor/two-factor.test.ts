import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceThrottle } from '#server/auth/test/advance-throttle.ts'
import { oneTimeTokens, recoveryCodes, sessions, twoFactors } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { deletePassword } from '../store.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const codeOf = (secret: string, stepsFromNow = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsFromNow * 30_000 })

const start = (email: string, client = test.visitor()) =>
  client.post('/api/auth/login', { email, password: PASSWORD }).then((answer) => ({ client, answer }))
const enter = (client: TestClient, code: string) => client.post('/api/auth/two-factor', { code })

const fellow = async () => {
  const account = await makeAccount(test.db)
  const { client } = await start(account.email)
  return { ...account, client }
}

/** A fellow with an app that was confirmed minutes ago, so that the current code is unused. */
const protectedFellow = async () => {
  const made = await fellow()
  const { secret } = (await made.client.post('/api/account/two-factor', { password: PASSWORD })).body
  const answer = await made.client.post('/api/account/two-factor/confirm', { code: codeOf(secret) })
  await test.db
    .update(twoFactors)
    .set({ lastStep: sql`${twoFactors.lastStep} - 10` })
    .where(eq(twoFactors.accountId, made.id))
  return { ...made, secret: secret as string, codes: answer.body.recoveryCodes as string[], confirmed: answer }
}

describe('Switching the second factor on', () => {
  it('returns a URL for the app and its secret, and switches nothing on yet', async () => {
    const { email, client } = await fellow()
    const { status, body } = await client.post('/api/account/two-factor', { password: PASSWORD })
    expect(status).toBe(200)
    expect(body.uri).toContain('otpauth://totp/Sourcebook:')
    expect(body.uri).toContain(`secret=${body.secret}`)
    expect(body.uri).toContain(encodeURIComponent(email))
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect((await start(email)).answer.body.user).toBeDefined()
  })

  it('requires the password', async () => {
    const { client } = await fellow()
    expect(await client.post('/api/account/two-factor', { password: 'not the password' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password' } },
    })
  })

  it('is confirmed by a code of the app, and returns ten recovery codes', async () => {
    const { client, confirmed, codes } = await protectedFellow()
    expect(confirmed.status).toBe(200)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await client.get('/api/account')).body.twoFactor).toEqual({ enabled: true, recoveryCodesLeft: 10 })
  })

  it('returns 400 at the field for a wrong code, and switches nothing on', async () => {
    const { email, client } = await fellow()
    await client.post('/api/account/two-factor', { password: PASSWORD })
    expect(await client.post('/api/account/two-factor/confirm', { code: '000000' })).toMatchObject({
      status: 400,
      body: { fields: { code: 'This code is wrong or has already been used' } },
    })
    expect((await start(email)).answer.body.user).toBeDefined()
  })

  it('ends every other session, and gives this one a new cookie', async () => {
    const { email, client } = await fellow()
    const { client: other } = await start(email)
    const before = client.cookies.get('session')
    const { secret } = (await client.post('/api/account/two-factor', { password: PASSWORD })).body
    await client.post('/api/account/two-factor/confirm', { code: codeOf(secret) })
    expect((await other.get('/api/auth/me')).status).toBe(401)
    expect(client.cookies.get('session')).not.toBe(before)
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  it('returns 409 when it is already on', async () => {
    const { client } = await protectedFellow()
    expect((await client.post('/api/account/two-factor', { password: PASSWORD })).status).toBe(409)
  })

  it('stores the secret encrypted and the recovery codes hashed', async () => {
    const { id, secret, codes } = await protectedFellow()
    const [row] = await test.db.select().from(twoFactors).where(eq(twoFactors.accountId, id))
    const kept = await test.db.select().from(recoveryCodes).where(eq(recoveryCodes.accountId, id))
    expect(Buffer.from(row?.secret ?? '', 'base64url').includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(
      false,
    )
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code.replaceAll('-', ''))
  })
})

describe('Signing in with a second factor', () => {
  it.each(['login', 'smart-auth'])('requires a code after the password, by %s, and opens no session', async (path) => {
    const { email } = await protectedFellow()
    const client = test.visitor()
    const answer = await client.post(`/api/auth/${path}`, { email, password: PASSWORD })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ action: 'two_factor' })
    expect(client.cookies.has('session')).toBe(false)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    const cookie = [answer.headers['set-cookie']].flat().find((line) => line?.startsWith('two-factor='))
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toContain('Max-Age=300')
    expect(cookie).toContain('SameSite=Lax')
  })

  it('opens the session after a code of the app', { tags: 'slow' }, async () => {
    const { name, email, secret } = await protectedFellow()
    const { client } = await start(email)
    const before = client.cookies.get('XSRF-TOKEN')
    const answer = await enter(client, codeOf(secret))
    expect(answer).toMatchObject({ status: 200, body: { user: { name, email } } })
    expect((await client.get('/api/auth/me')).status).toBe(200)
    expect(client.cookies.get('XSRF-TOKEN')).not.toBe(before)
    expect(client.cookies.has('two-factor')).toBe(false)
  })

  it('accepts a code with the spaces that apps show', async () => {
    const { email, secret } = await protectedFellow()
    const { client } = await start(email)
    expect((await enter(client, ` ${codeOf(secret).replace(/^.../, '$& ')} `)).status).toBe(200)
  })

  it('reveals nothing about the second factor after a wrong password', async () => {
    const { email } = await protectedFellow()
    const answer = await test.visitor().post('/api/auth/login', { email, password: 'not the password' })
    expect(answer).toMatchObject({ status: 401, body: { error: 'The email address or the password is wrong' } })
  })

  it('accepts each code once, and no older one after it', { tags: 'slow' }, async () => {
    const { email, secret } = await protectedFellow()
    const code = codeOf(secret)
    expect((await enter((await start(email)).client, code)).status).toBe(200)
    const { client } = await start(email)
    for (const used of [code, codeOf(secret, -1)]) {
      expect(await enter(client, used)).toMatchObject({
        status: 401,
        body: { error: 'This code is wrong or has already been used' },
      })
    }
    expect((await enter(client, codeOf(secret, 1))).status).toBe(200)
  })

  it('accepts no code that is more than one step away', { tags: 'slow' }, async () => {
    const { email, secret } = await protectedFellow()
    const { client } = await start(email)
    for (const steps of [-3, 3]) expect((await enter(client, codeOf(secret, steps))).status).toBe(401)
  })

  it('accepts each recovery code once', { tags: 'slow' }, async () => {
    const { email, codes } = await protectedFellow()
    const [code = ''] = codes
    const { client } = await start(email)
    expect((await enter(client, code.toLowerCase())).status).toBe(200)
    expect((await client.get('/api/account')).body.twoFactor.recoveryCodesLeft).toBe(9)
    expect((await enter((await start(email)).client, code)).status).toBe(401)
  })

  it('requires the password first', async () => {
    const { secret } = await protectedFellow()
    expect(await enter(test.visitor(), codeOf(secret))).toMatchObject({
      status: 401,
      body: { error: 'This sign-in has expired. Enter your password again.' },
    })
  })

  it('must end within five minutes, and works once', async () => {
    const { id, email, secret } = await protectedFellow()
    const { client } = await start(email)
    const cookie = client.cookies.get('two-factor') as string
    await test.db
      .update(oneTimeTokens)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(oneTimeTokens.accountId, id))
    expect((await enter(client, codeOf(secret))).body.error).toContain('has expired')
    const again = await start(email)
    expect(again.client.cookies.get('two-factor')).not.toBe(cookie)
    const used = again.client.cookies.get('two-factor') as string
    expect((await enter(again.client, codeOf(secret))).status).toBe(200)
    const replay = test.visitor()
    replay.cookies.set('two-factor', used)
    expect((await enter(replay, codeOf(secret, 1))).status).toBe(401)
  })

  it('counts wrong codes separately from wrong passwords; a right password does not reset them', {
    tags: 'slow',
  }, async () => {
    const { email, secret } = await protectedFellow()
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const { client } = await start(email)
      for (const code of ['000000', 'AAAA-BBBB-CCCC-DDDD']) statuses.push((await enter(client, code)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    const { client, answer } = await start(email)
    expect(answer.status).toBe(200)
    expect((await enter(client, codeOf(secret))).status).toBe(429)
    await advanceThrottle(test.db, 1)
    expect((await enter(client, codeOf(secret))).status).toBe(200)
  })

  it('makes the browser known after both, and not after the password alone', async () => {
    const { email, secret } = await protectedFellow()
    const { client } = await start(email)
    expect(client.cookies.has('device')).toBe(false)
    await enter(client, codeOf(secret))
    expect(client.cookies.has('device')).toBe(true)
  })

  it('ends the attempt when the password changes before the code', async () => {
    const { id, email, secret, client } = await protectedFellow()
    const attempt = await start(email)
    await client.post('/api/account/password', { currentPassword: PASSWORD, newPassword: 'an entirely new one' })
    expect((await enter(attempt.client, codeOf(secret))).status).toBe(401)
    expect(await test.db.select().from(sessions).where(eq(sessions.accountId, id))).toHaveLength(1)
  })

  it.each([{}, { code: '' }, { code: 1 }, { code: 'x'.repeat(41) }])('returns 400 for %j', async (body) => {
    const { email } = await protectedFellow()
    const { client } = await start(email)
    expect((await client.post('/api/auth/two-factor', body)).status).toBe(400)
  })
})

describe('Recovery codes', () => {
  const replace = (client: TestClient, body: unknown) => client.post('/api/account/two-factor/recovery-codes', body)

  it('can be replaced with the password and a code, and the earlier ones stop working', async () => {
    const { email, client, secret, codes } = await protectedFellow()
    const code = codeOf(secret)
    for (const [body, field] of [
      [{ password: PASSWORD }, 'code'],
      [{ code }, 'password'],
      [{ password: 'not the password', code }, 'password'],
      [{ password: PASSWORD, code: '000000' }, 'code'],
    ] as const) {
      const answer = await replace(client, body)
      expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
    }
    const { status, body } = await replace(client, { password: PASSWORD, code })
    expect(status).toBe(200)
    expect((await enter((await start(email)).client, codes[0] as string)).status).toBe(401)
    expect((await enter((await start(email)).client, body.recoveryCodes[0])).status).toBe(200)
  })

  it('can be replaced with the code alone where the account has no password', async () => {
    const { id, client, secret } = await protectedFellow()
    await deletePassword(test.db, id)
    expect((await replace(client, { code: codeOf(secret) })).status).toBe(200)
  })

  it('are refused to an account without a second factor', async () => {
    const { client } = await fellow()
    expect((await replace(client, { password: PASSWORD, code: '000000' })).status).toBe(409)
  })
})

describe('Switching the second factor off', () => {
  const off = (client: TestClient, body: unknown) => client.post('/api/account/two-factor/off', body)

  it.each([
    ['of the app', ({ secret }: { secret: string }) => codeOf(secret)],
    ['kept for recovery', ({ codes }: { codes: string[] }) => codes[0]],
  ])('requires the password and a code %s; then the password alone signs in', async (_what, codeFrom) => {
    const made = await protectedFellow()
    const { email, client } = made
    const code = codeFrom(made)
    for (const [body, field] of [
      [{ password: PASSWORD }, 'code'],
      [{ code }, 'password'],
      [{ password: 'not the password', code }, 'password'],
      [{ password: PASSWORD, code: '000000' }, 'code'],
    ] as const) {
      expect(await off(client, body)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
    }
    expect((await start(email)).answer.body).toEqual({ action: 'two_factor' })
    expect((await off(client, { password: PASSWORD, code })).status).toBe(204)
    expect((await start(email)).answer.body.user.email).toBe(email)
    expect((await client.get('/api/account')).body.twoFactor).toEqual({ enabled: false, recoveryCodesLeft: 0 })
  })

  it('requires only the code where the account has no password', async () => {
    const { id, client, secret } = await protectedFellow()
    await deletePassword(test.db, id)
    expect((await off(client, { code: '000000' })).status).toBe(400)
    expect((await off(client, { code: codeOf(secret) })).status).toBe(204)
  })

  it('counts wrong codes like those of a sign-in', async () => {
    const { client, secret } = await protectedFellow()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await off(client, { password: PASSWORD, code: '000000' })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await off(client, { password: PASSWORD, code: codeOf(secret) })).status).toBe(429)
  })

  it('returns 409 when it is already off', async () => {
    const { client } = await fellow()
    expect((await off(client, { password: PASSWORD, code: '000000' })).status).toBe(409)
  })
})
