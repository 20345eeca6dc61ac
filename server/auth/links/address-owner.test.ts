import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchAuditLog } from '#server/audit-log/search.ts'
import { accounts, credentials, oneTimeTokens, recoveryCodes, sessions, twoFactors } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { type MailServer, openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let post: MailServer
let test: TestApp
beforeAll(async () => {
  post = await openMailServer()
  test = await startTestApp({ SMTP_URL: post.url, THROTTLE_MAIL_IP: '1000', PUBLIC_URL: 'http://sourcebook.test' })
})
afterAll(async () => {
  await test.close()
  await post.close()
})

const NEW = 'an entirely new one'
const CHOOSE_PASSWORD = {
  status: 409,
  body: { code: 'choose_password', error: expect.stringMatching(/Choose a new password/) },
}

let number = 0
const freshAddress = () => `owner${++number}@mit.edu`

/** Signs up with the password of the factories. The owner of the address has received the link by mail. */
const signUp = async (email = freshAddress(), name = 'Ada Lovelace') => {
  const browser = test.visitor()
  const answer = await browser.post('/api/auth/register', { email, password: PASSWORD, name })
  const token = tokenIn(await post.next(email))
  return { email, browser, answer, token }
}
const verify = (client: TestClient, token: string) => client.post('/api/auth/verify', { token })
const choose = (client: TestClient, token: string) => client.post('/api/auth/reset/confirm', { token, password: NEW })
const login = (email: string, password = PASSWORD) => test.visitor().post('/api/auth/login', { email, password })
const accountOf = async (email: string) =>
  (await test.db.select().from(accounts).where(eq(accounts.email, email)))[0] as typeof accounts.$inferSelect

const cookieLine = (answer: { headers: Record<string, string | string[] | undefined> }) =>
  [answer.headers['set-cookie']].flat().find((line) => line?.startsWith('sign-up='))

describe('The link that verifies an address', () => {
  it("does not let a stranger in who signed up with another person's address, after that person clicked the button", {
    tags: 'slow',
  }, async () => {
    const { email, browser: attacker, token } = await signUp()
    const owner = test.visitor()
    expect(await verify(owner, token)).toMatchObject(CHOOSE_PASSWORD)
    expect((await accountOf(email)).emailVerified).toBe(false)
    expect((await attacker.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(403)
    expect((await choose(owner, token)).status).toBe(204)
    expect((await attacker.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401)
    expect((await login(email, NEW)).status).toBe(200)
  })

  it.each(['register', 'smart-auth'])(
    'verifies it in the browser that signed up by %s',
    { tags: 'slow' },
    async (way) => {
      const [email, browser] = [freshAddress(), test.visitor()]
      const answer = await browser.post(`/api/auth/${way}`, { email, password: PASSWORD, name: 'Ada' })
      expect(cookieLine(answer)).toMatch(/HttpOnly/)
      expect(cookieLine(answer)).toContain('Max-Age=86400')
      expect((await verify(browser, tokenIn(await post.next(email)))).status).toBe(204)
      expect(browser.cookies.has('sign-up')).toBe(false)
      expect((await login(email)).status).toBe(200)
    },
  )

  it('also verifies it after a sign-in there, and by a later mail', async () => {
    const { email, browser } = await signUp()
    await browser.post('/api/auth/login', { email, password: PASSWORD })
    expect((await verify(browser, tokenIn(await post.next(email, 1)))).status).toBe(204)
  })

  it('is not bound to a browser that signs in later or requests the mail again', { tags: 'slow' }, async () => {
    const { email } = await signUp()
    const other = test.visitor()
    const answers = [
      await other.post('/api/auth/login', { email, password: PASSWORD }),
      await other.post('/api/auth/smart-auth', { email, password: PASSWORD, name: 'Ada' }),
      await other.post('/api/auth/verify/resend', { email }),
    ]
    expect(answers.map(cookieLine)).toEqual([undefined, undefined, undefined])
    expect(await verify(other, tokenIn(await post.next(email, 3)))).toMatchObject(CHOOSE_PASSWORD)
  })

  it('is not used up by a browser that has to choose a password', async () => {
    const { browser, token } = await signUp()
    expect(await verify(test.visitor(), token)).toMatchObject(CHOOSE_PASSWORD)
    expect((await verify(browser, token)).status).toBe(204)
  })

  it('does not accept the sign-up cookie of another account', async () => {
    const [attacked, own] = [await signUp(), await signUp()]
    expect(await verify(own.browser, attacked.token)).toMatchObject(CHOOSE_PASSWORD)
  })

  it('does not accept a cookie older than a day', async () => {
    const { email, browser } = await signUp()
    await test.db
      .update(oneTimeTokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(oneTimeTokens.purpose, 'sign_up'))
    await test.visitor().post('/api/auth/verify/resend', { email })
    expect(await verify(browser, tokenIn(await post.next(email, 1)))).toMatchObject(CHOOSE_PASSWORD)
  })

  it('stores the cookie as a hash only', async () => {
    const { browser } = await signUp()
    expect(JSON.stringify(await test.db.select().from(oneTimeTokens))).not.toContain(browser.cookies.get('sign-up'))
  })

  it('has a cookie that is bound to this host over https', { tags: 'slow' }, async () => {
    const safe = await startTestApp({ SMTP_URL: post.url, PUBLIC_URL: 'https://sourcebook.test', TRUST_PROXY: 'true' })
    const browser = safe.visitor()
    await browser.raw({ method: 'GET', url: '/api/auth/me' })
    const answer = await browser.post(
      '/api/auth/register',
      { email: freshAddress(), password: PASSWORD, name: 'Ada' },
      { headers: { origin: 'https://sourcebook.test' } },
    )
    const line = [answer.headers['set-cookie']].flat().find((one) => one?.startsWith('__Host-sign-up='))
    expect(line).toMatch(/Secure/)
    await safe.close()
  })

  it('is used up by the new password, and opens no session', async () => {
    const { token, browser } = await signUp()
    const owner = test.visitor()
    expect((await choose(owner, token)).status).toBe(204)
    expect((await owner.get('/api/auth/me')).status).toBe(401)
    expect((await choose(owner, token)).status).toBe(400)
    expect((await verify(browser, token)).status).toBe(400)
  })

  it('replaces no password once the address is verified', async () => {
    const { email, browser, token } = await signUp()
    await test.visitor().post('/api/auth/verify/resend', { email })
    const second = tokenIn(await post.next(email, 1))
    expect((await verify(browser, token)).status).toBe(204)
    expect((await choose(test.visitor(), second)).status).toBe(400)
    expect((await login(email)).status).toBe(200)
  })

  it('changes nothing when it is only opened', async () => {
    const { email, browser, token } = await signUp()
    for (const url of ['/auth/verify', `/auth/verify?token=${token}`, `/api/auth/verify?token=${token}`]) {
      await browser.get(url)
    }
    expect((await accountOf(email)).emailVerified).toBe(false)
    expect((await verify(browser, token)).status).toBe(204)
  })
})

/**
 * An account that a stranger created before mail was set up, with a session, a second factor and single sign-on.
 */
async function strangersAccount(emailVerified: boolean) {
  const { id, email } = await makeAccount(test.db, { emailVerified: true })
  const stranger = test.visitor()
  await stranger.post('/api/auth/login', { email, password: PASSWORD })
  const { secret } = (await stranger.post('/api/account/two-factor', { password: PASSWORD })).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await stranger.post('/api/account/two-factor/confirm', { code })).status).toBe(200)
  await test.db
    .insert(credentials)
    .values({ id: crypto.randomUUID(), accountId: id, provider: 'oidc', providerAccount: `https://issuer.test ${id}` })
  await test.db.update(accounts).set({ emailVerified }).where(eq(accounts.id, id))
  const left = async () => ({
    secondFactors: await test.db.$count(twoFactors, eq(twoFactors.accountId, id)),
    recoveryCodes: await test.db.$count(recoveryCodes, eq(recoveryCodes.accountId, id)),
    sessions: await test.db.$count(sessions, eq(sessions.accountId, id)),
    links: await test.db.$count(oneTimeTokens, eq(oneTimeTokens.accountId, id)),
    waysIn: await test.db.$count(credentials, eq(credentials.accountId, id)),
  })
  return { id, email, stranger, left }
}

describe('A new password by mail', () => {
  it.each([
    ['a forgotten password', 'reset'],
    ['the proof of an address', 'verify/resend'],
  ])(
    'by the link of %s deletes everything that a stranger left on an account that was never verified',
    { tags: 'slow' },
    async (_what, path) => {
      const { email, left } = await strangersAccount(false)
      expect(await left()).toEqual({ secondFactors: 1, recoveryCodes: 10, sessions: 1, links: 0, waysIn: 2 })
      const owner = test.visitor()
      await owner.post(`/api/auth/${path}`, { email })
      expect((await choose(owner, tokenIn(await post.next(email)))).status).toBe(204)
      expect(await left()).toEqual({ secondFactors: 0, recoveryCodes: 0, sessions: 0, links: 0, waysIn: 1 })
      expect((await login(email, NEW)).body.user.email).toBe(email)
    },
  )

  it('keeps the second factor and single sign-on of a verified account', async () => {
    const { email, left } = await strangersAccount(true)
    const owner = test.visitor()
    await owner.post('/api/auth/reset', { email })
    expect((await choose(owner, tokenIn(await post.next(email)))).status).toBe(204)
    expect(await left()).toEqual({ secondFactors: 1, recoveryCodes: 10, sessions: 0, links: 0, waysIn: 2 })
    expect((await login(email, NEW)).body).toEqual({ action: 'two_factor' })
  })
})

describe("A stranger's name", () => {
  it('goes when the owner of the address chooses a password, and becomes the local part of the address', async () => {
    const { email, token } = await signUp(freshAddress(), 'A Stranger')
    const owner = test.visitor()
    expect((await choose(owner, token)).status).toBe(204)
    const name = email.split('@')[0]
    expect((await owner.post('/api/auth/login', { email, password: NEW })).body.user).toEqual({ email, name })
    expect(await searchAuditLog(test.db, { person: email, actions: ['account-name'] }, 10)).toMatchObject([
      { result: 'done', before: { name: 'A Stranger' }, after: { name }, ip: expect.any(String) },
    ])
  })

  it('stays when the person confirms the address in the browser that signed up, or had confirmed it before', async () => {
    const { email, browser, token } = await signUp()
    expect((await verify(browser, token)).status).toBe(204)
    expect((await accountOf(email)).name).toBe('Ada Lovelace')
    await browser.post('/api/auth/reset', { email })
    expect((await choose(browser, tokenIn(await post.next(email, 1)))).status).toBe(204)
    expect((await accountOf(email)).name).toBe('Ada Lovelace')
  })
})

describe('Mails that strangers request', () => {
  it.each(['reset', 'verify/resend'])('by %s do not delay the mails of sign-up and sign-in', async (path) => {
    const email = freshAddress()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await test.visitor().post(`/api/auth/${path}`, { email })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    const { answer } = await signUp(email)
    expect(answer.body).toMatchObject({ action: 'verify_email', isMailed: true })
    expect((await login(email)).body.error).toContain('We have sent you a link')
    await post.next(email, 1)
  })

  it('do not delay them from the same network either', { tags: 'slow' }, async () => {
    const strict = await startTestApp({ SMTP_URL: post.url, THROTTLE_MAIL_IP: '1' })
    const ask = () => strict.visitor().post('/api/auth/reset', { email: freshAddress() })
    expect([(await ask()).status, (await ask()).status]).toEqual([204, 429])
    const body = { email: freshAddress(), password: PASSWORD, name: 'Ada' }
    expect((await strict.visitor().post('/api/auth/register', body)).body.isMailed).toBe(true)
    await strict.close()
  })
})

describe('The name of a sign-up', () => {
  it('is in no mail before the address is verified', { tags: 'slow' }, async () => {
    const { email, token } = await signUp(freshAddress(), 'Call 555 0100 about your account')
    await test.visitor().post('/api/auth/reset', { email })
    await test.visitor().post('/api/auth/verify/resend', { email })
    await post.next(email, 2)
    for (const { subject, text, html } of post.to(email)) expect(subject + text + html).not.toContain('555')
    await choose(test.visitor(), token)
    await test.visitor().post('/api/auth/reset', { email })
    const { text } = await post.next(email, 3)
    expect(text).not.toContain('555')
    expect(text).toContain(`Hello ${email.split('@')[0]}`)
  })

  it.each(['Log in at https://evil.com', 'ftp://evil', 'WWW.evil.com', 'evil.com/login', 'a/b'])(
    'that holds a web address is refused: %s',
    async (name) => {
      for (const way of ['register', 'smart-auth']) {
        const email = freshAddress()
        expect(await test.visitor().post(`/api/auth/${way}`, { email, password: PASSWORD, name })).toMatchObject({
          status: 400,
          body: { fields: { name: 'Enter your name only, without a web address or a slash' } },
        })
        expect(post.to(email)).toEqual([])
      }
    },
  )
})
