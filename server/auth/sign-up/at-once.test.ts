import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invite } from '#server/auth/account-admin.ts'
import { accounts, twoFactors } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { type MailServer, openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

// Concurrent attempts at actions that may happen once. Locks in the database decide.

const MANY = 20

let number = 0
const fresh = () => `newcomer${++number}@mit.edu`

const many = <Answer>(ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: MANY }, (_, index) => ask(index)))
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('Of 20 concurrent attempts', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp({}, undefined, undefined, { connections: 10 })
  })
  afterAll(() => test.close())

  it('one sign-up of an address succeeds', async () => {
    const email = fresh()
    const answers = await many(() =>
      test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'A' }),
    )
    expect(statusesOf(answers)).toEqual([201, ...Array(MANY - 1).fill(409)])
    expect(await test.db.select().from(accounts).where(eq(accounts.email, email))).toHaveLength(1)
  })

  it('one use of a code of the second factor succeeds', async () => {
    const { id, email } = await makeAccount(test.db)
    const signIn = async (client = test.visitor()) => {
      await client.post('/api/auth/login', { email, password: PASSWORD })
      return client
    }
    const client = await signIn()
    const { secret } = (await client.post('/api/account/two-factor', { password: PASSWORD })).body
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await client.post('/api/account/two-factor/confirm', { code: code() })
    // Resets the use of the current code, which has confirmed the app.
    await test.db
      .update(twoFactors)
      .set({ lastStep: sql`${twoFactors.lastStep} - 10` })
      .where(eq(twoFactors.accountId, id))
    const clients = await Promise.all(Array.from({ length: 5 }, () => signIn()))
    const answers = await Promise.all(clients.map((client) => client.post('/api/auth/two-factor', { code: code() })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('Of 20 concurrent attempts where sign-ups are by invitation', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'invited' })
  })
  afterAll(() => test.close())

  it('one sign-up by an invitation succeeds', { tags: 'slow' }, async () => {
    const { token: invitation } = await invite(test.db, readSettings({ SIGN_UP: 'invited' }), 'operator')
    const before = await test.db.$count(accounts)
    const answers = await many(() =>
      test.visitor().post('/api/auth/register', { email: fresh(), password: PASSWORD, name: 'Ada', invitation }),
    )
    expect(statusesOf(answers)).toEqual([201, ...Array(MANY - 1).fill(403)])
    expect(await test.db.$count(accounts)).toBe(before + 1)
  })
})

describe('Of 20 concurrent attempts where mail is set up', () => {
  let post: MailServer
  let test: TestApp
  beforeAll(async () => {
    post = await openMailServer()
    test = await startTestApp({ SMTP_URL: post.url, PUBLIC_URL: 'http://sourcebook.test' })
  })
  afterAll(async () => {
    await test.close()
    await post.close()
  })

  it('one use of a verification link succeeds, and one use of a reset link', { tags: 'slow' }, async () => {
    const email = fresh()
    const visitor = test.visitor()
    await visitor.post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' })
    const proof = tokenIn(await post.next(email))
    const proven = await many(() => visitor.post('/api/auth/verify', { token: proof }))
    expect(statusesOf(proven)).toEqual([204, ...Array(MANY - 1).fill(400)])

    await visitor.post('/api/auth/reset', { email })
    const token = tokenIn(await post.next(email, 1))
    const chosen = await many((index) =>
      test.visitor().post('/api/auth/reset/confirm', { token, password: `new password ${index}` }),
    )
    expect(statusesOf(chosen)).toEqual([204, ...Array(MANY - 1).fill(400)])
  })
})
