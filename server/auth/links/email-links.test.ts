import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts, auditLog, oneTimeTokens, sessions } from '#server/db/schema.ts'
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
beforeEach(() => post.be('taking'))

let number = 0
const freshAddress = () => `newcomer${++number}@mit.edu`
const SAME_REFUSAL = { error: 'The email address or the password is wrong' }
const LINK_REFUSED = { error: 'This link has been used or has expired. Ask for a new one.' }

const signUp = async (email = freshAddress(), name = 'Ada Lovelace') => {
  const visitor = test.visitor()
  const answer = await visitor.post('/api/auth/register', { email, password: PASSWORD, name })
  return { email, visitor, answer }
}
const login = (email: string, password = PASSWORD) => test.visitor().post('/api/auth/login', { email, password })
/** The audit entries of one action of an account, with the tested columns. */
const historyOf = (email: string, action: string) =>
  test.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountEmail, email), eq(auditLog.action, action)))
const ofItself = async (email: string) => {
  const [row] = await test.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email))
  return expect.objectContaining({
    accountId: row?.id,
    ip: '127.0.0.1',
    requestId: expect.stringMatching(/./),
    kind: 'account',
    objectId: row?.id,
    result: 'done',
  })
}
const verify = (token: string, visitor: TestClient) => visitor.post('/api/auth/verify', { token })

describe('Signing up where mail is set up', () => {
  it('returns 201 with the action verify_email, and opens no session', async () => {
    const { email, visitor, answer } = await signUp()
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({ action: 'verify_email', user: { name: 'Ada Lovelace', email }, isMailed: true })
    expect(visitor.cookies.has('session')).toBe(false)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  it('returns 200 with the same action by smart-auth', async () => {
    const email = freshAddress()
    const answer = await test.visitor().post('/api/auth/smart-auth', { email, password: PASSWORD, name: 'Ada' })
    expect(answer).toMatchObject({ status: 200, body: { action: 'verify_email', user: { email }, isMailed: true } })
  })

  it('sends one mail with a link to the page, in text and in HTML', async () => {
    const { email } = await signUp()
    const [mail, ...more] = post.to(email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Confirm your email address for Sourcebook')
    expect(mail?.text).toMatch(/^http:\/\/sourcebook\.test\/auth\/verify#token=[\w-]{43}\r?$/m)
    expect(mail?.html).toMatch(/href="http:\/\/sourcebook\.test\/auth\/verify#token=[\w-]{43}"/)
  })

  it('escapes the name in the mail', async () => {
    const { email } = await makeAccount(test.db, { name: '<img src=x onerror=alert(1)>', emailVerified: true })
    await test.visitor().post('/api/auth/reset', { email })
    const { html } = await post.next(email)
    expect(html).toContain('Hello &#60;img')
    expect(html).not.toContain('<img')
  })

  it('stores the token as a hash only', async () => {
    const { email } = await signUp()
    const token = tokenIn(await post.next(email))
    const rows = await test.db.select().from(oneTimeTokens)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('keeps the account when the mail server refuses the mail, and reports the refusal', { tags: 'slow' }, async () => {
    post.be('refusing')
    const { email, visitor, answer } = await signUp()
    expect(answer).toMatchObject({ status: 201, body: { action: 'verify_email', isMailed: false } })
    expect((await login(email)).body.error).toContain('We could not send the email')
    post.be('taking')
    await test.visitor().post('/api/auth/verify/resend', { email })
    expect((await verify(tokenIn(await post.next(email)), visitor)).status).toBe(204)
    expect((await login(email)).status).toBe(200)
  })

  it('waits only some seconds for a mail server that does not respond', { tags: 'slow' }, async () => {
    post.be('silent')
    const began = Date.now()
    const { answer } = await signUp()
    expect(answer).toMatchObject({ status: 201, body: { isMailed: false } })
    expect(Date.now() - began).toBeLessThan(9000)
  })

  it('returns 409 for an address that is taken, verified or not', async () => {
    const { email } = await signUp()
    expect((await signUp(email)).answer.status).toBe(409)
  })

  it('still refuses an address that may not join, and sends no mail to it', async () => {
    expect((await signUp('x@evil.com')).answer.status).toBe(403)
    expect(post.to('x@evil.com')).toEqual([])
  })
})

describe('An account with an unverified address', () => {
  it('is refused after the right password with 403 and the action, and gets a new mail', { tags: 'slow' }, async () => {
    const { email, visitor } = await signUp()
    for (const path of ['login', 'smart-auth']) {
      const answer = await visitor.post(`/api/auth/${path}`, { email, password: PASSWORD })
      expect(answer).toMatchObject({
        status: 403,
        body: { action: 'verify_email', error: 'Confirm your email address first. We have sent you a link.' },
      })
    }
    expect(visitor.cookies.has('session')).toBe(false)
    expect(post.to(email)).toHaveLength(3)
  })

  it('returns the usual 401 for a wrong password, and sends no mail', async () => {
    const { email } = await signUp()
    expect(await login(email, 'not the password')).toMatchObject({ status: 401, body: SAME_REFUSAL })
    expect(post.to(email)).toHaveLength(1)
  })

  it('gets at most five mails an hour by signing in', { tags: 'slow' }, async () => {
    const { email } = await signUp()
    for (let count = 0; count < 6; count += 1) await login(email)
    expect(post.to(email)).toHaveLength(5)
    expect((await login(email)).body).toMatchObject({ action: 'verify_email' })
  })

  it('created before mail was set up keeps its sessions until a new password verifies it', {
    tags: 'slow',
  }, async () => {
    const account = await makeAccount(test.db)
    const visitor = test.visitor()
    const before = await startBefore(account.email)
    visitor.cookies.set('session', before)
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
    expect(await login(account.email)).toMatchObject({ status: 403, body: { action: 'verify_email' } })
    const token = tokenIn(await post.next(account.email))
    expect((await verify(token, visitor)).status).toBe(409)
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
    await visitor.post('/api/auth/reset/confirm', { token, password: 'an entirely new one' })
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    expect((await login(account.email, 'an entirely new one')).status).toBe(200)
  })
})

/** The cookie of a session that was opened before addresses were verified. */
async function startBefore(email: string): Promise<string> {
  await test.db.update(accounts).set({ emailVerified: true }).where(eq(accounts.email, email))
  const visitor = test.visitor()
  await visitor.post('/api/auth/login', { email, password: PASSWORD })
  await test.db.update(accounts).set({ emailVerified: false }).where(eq(accounts.email, email))
  return visitor.cookies.get('session') as string
}

describe('POST /auth/verify', () => {
  it('verifies the address once; then the account signs in', async () => {
    const { email, visitor } = await signUp()
    const token = tokenIn(await post.next(email))
    expect((await verify(token, visitor)).status).toBe(204)
    expect(await verify(token, visitor)).toMatchObject({ status: 400, body: LINK_REFUSED })
    expect((await login(email)).status).toBe(200)
  })

  it('writes an audit entry with the network address of the person who used the link', async () => {
    const { email, visitor } = await signUp()
    await verify(tokenIn(await post.next(email)), visitor)
    expect(await historyOf(email, 'verify')).toEqual([await ofItself(email)])
  })

  it('opens no session', async () => {
    const { email, visitor } = await signUp()
    await verify(tokenIn(await post.next(email)), visitor)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  it('returns 400 for an expired link', async () => {
    const { email, visitor } = await signUp()
    await test.db.update(oneTimeTokens).set({ expiresAt: sql`now() - interval '1 second'` })
    expect(await verify(tokenIn(await post.next(email)), visitor)).toMatchObject({ status: 400, body: LINK_REFUSED })
  })

  it('returns 400 for the token of another kind of link', async () => {
    const { email } = await makeAccount(test.db)
    await test.visitor().post('/api/auth/reset', { email })
    expect((await verify(tokenIn(await post.next(email)), test.visitor())).status).toBe(400)
  })

  it.each([{ token: 'nonsense' }, { token: '' }, { token: 'x'.repeat(500) }, { token: 1 }, { token: ['a'] }, {}])(
    'returns 400 with a sentence for %j',
    async (body) => {
      const answer = await test.visitor().post('/api/auth/verify', body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(/^This link /)
    },
  )

  it('gives the account what was imported under its address', { tags: 'slow' }, async () => {
    const { email, visitor } = await signUp()
    await test.db.execute(sql`insert into records (id, kind, name, linked_in, notes, rating, search_text, creator_text)
      values (gen_random_uuid(), 'founder', 'Imported', 'x', 'x', 5, 'x', ${email.toUpperCase()})`)
    await verify(tokenIn(await post.next(email)), visitor)
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const { body } = await visitor.get('/api/founders?mine=true')
    expect(body).toMatchObject([{ name: 'Imported', can: { edit: true, delete: true } }])
  })
})

describe('POST /auth/verify/resend', () => {
  it('returns 204 for any address, and sends a mail only to an unverified account', async () => {
    const { email } = await signUp()
    const proven = await makeAccount(test.db, { emailVerified: true })
    const unknown = freshAddress()
    for (const address of [email, proven.email, unknown, 'x@evil.com']) {
      expect((await test.visitor().post('/api/auth/verify/resend', { email: address })).status).toBe(204)
    }
    await post.next(email, 1)
    expect(post.to(proven.email).concat(post.to(unknown), post.to('x@evil.com'))).toEqual([])
  })

  it('is throttled by address, with or without an account', { tags: 'slow' }, async () => {
    const { email } = await signUp()
    for (const address of [email, freshAddress()]) {
      const statuses: number[] = []
      for (let count = 0; count < 6; count += 1) {
        statuses.push((await test.visitor().post('/api/auth/verify/resend', { email: address })).status)
      }
      expect(statuses.at(-1)).toBe(429)
    }
  })

  it('is throttled by network', { tags: 'slow' }, async () => {
    const strict = await startTestApp({ SMTP_URL: post.url, THROTTLE_MAIL_IP: '3' })
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await strict.visitor().post('/api/auth/verify/resend', { email: freshAddress() })).status)
    }
    expect(statuses).toEqual([204, 204, 204, 429])
    await strict.close()
  })
})

describe('POST /auth/reset', () => {
  const account = async () => {
    const made = await makeAccount(test.db, { emailVerified: true })
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email: made.email, password: PASSWORD })
    return { ...made, visitor }
  }
  const ask = (email: string) => test.visitor().post('/api/auth/reset', { email })
  const confirm = (token: string, password = 'an entirely new one') =>
    test.visitor().post('/api/auth/reset/confirm', { token, password })

  it('returns 204 with or without an account, and sends a mail only to an account', async () => {
    const { email } = await account()
    const unknown = freshAddress()
    expect([(await ask(email)).status, (await ask(unknown)).status]).toEqual([204, 204])
    expect((await post.next(email)).text).toMatch(/^http:\/\/sourcebook\.test\/auth\/reset#token=[\w-]{43}\r?$/m)
    expect(post.to(unknown)).toEqual([])
  })

  it('is throttled by address', async () => {
    const unknown = freshAddress()
    for (let count = 0; count < 5; count += 1) await ask(unknown)
    expect((await ask(unknown)).status).toBe(429)
  })

  it('sets a new password, and ends every session of the account', { tags: 'slow' }, async () => {
    const { id, email, visitor } = await account()
    await ask(email)
    expect((await confirm(tokenIn(await post.next(email)))).status).toBe(204)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    expect(await test.db.select().from(sessions).where(eq(sessions.accountId, id))).toEqual([])
    expect([(await login(email)).status, (await login(email, 'an entirely new one')).status]).toEqual([401, 200])
  })

  it('has links that work once, for an hour', async () => {
    const { email } = await account()
    await ask(email)
    const token = tokenIn(await post.next(email))
    const [row] = await test.db
      .select({ left: sql<number>`extract(epoch from max(expires_at) - now())::int` })
      .from(oneTimeTokens)
      .where(eq(oneTimeTokens.purpose, 'reset'))
    expect(row?.left).toBeGreaterThan(3500)
    expect(row?.left).toBeLessThanOrEqual(3600)
    const answers = await Promise.all(
      ['one new password', 'other new password'].map((password) => confirm(token, password)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(await confirm(token)).toMatchObject({ status: 400, body: LINK_REFUSED })
  })

  it('invalidates every other link once a password is set', async () => {
    const { email } = await account()
    await ask(email)
    await ask(email)
    const [first, second] = [tokenIn(await post.next(email)), tokenIn(await post.next(email, 1))]
    expect((await confirm(second)).status).toBe(204)
    expect((await confirm(first)).status).toBe(400)
  })

  it('returns 400 with the reason for a weak password, and the link stays valid', async () => {
    const { email } = await account()
    await ask(email)
    const token = tokenIn(await post.next(email))
    const reason = 'This password is too common. Choose another.'
    expect(await confirm(token, 'letmein')).toMatchObject({ status: 400, body: { fields: { password: reason } } })
    expect((await confirm(token)).status).toBe(204)
  })

  it('writes an audit entry with the network address of the person who used the link', async () => {
    const { email } = await account()
    await ask(email)
    const token = tokenIn(await post.next(email))
    await confirm(token)
    await confirm(token)
    expect(await historyOf(email, 'reset-confirm')).toEqual([await ofItself(email)])
  })

  it('also verifies the address, because the mail arrived there', { tags: 'slow' }, async () => {
    const { email } = await signUp()
    await ask(email)
    expect((await confirm(tokenIn(await post.next(email, 1)))).status).toBe(204)
    expect((await login(email, 'an entirely new one')).status).toBe(200)
  })
})

describe('Where no mail is set up', () => {
  it('signing up opens a session and sends no mail; a reset returns 403 and names who resets passwords', {
    tags: 'slow',
  }, async () => {
    const open = await startTestApp()
    const visitor = open.visitor()
    const email = freshAddress()
    const joined = await visitor.post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' })
    expect(joined).toMatchObject({ status: 201, body: { user: { email } } })
    for (const path of ['reset', 'verify/resend']) {
      expect(await visitor.post(`/api/auth/${path}`, { email })).toMatchObject({
        status: 403,
        body: { error: 'Email is not set up. Ask an administrator to reset your password.' },
      })
    }
    await open.close()
  })
})
