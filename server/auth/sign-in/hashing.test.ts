import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials } from '#server/db/schema.ts'
import { subscribe } from '#server/telemetry.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ PASSWORD_MIN_LENGTH: '8', THROTTLE_IP_FAILURES: '1000' })
})
afterAll(() => test.close())

const WRONG = 'not the password'

/** The number of passwords hashed or checked during `work`. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const stop = subscribe('hash', () => {
    hashes += 1
  })
  await work()
  stop()
  return hashes
}

const login = (email: string, password = WRONG, ip = '203.0.113.1') =>
  test.visitor().post('/api/auth/login', { email, password }, { ip })

describe('A sign-in that is refused', () => {
  it('costs one hash, with or without an account, and with or without a password', async () => {
    const [known, passwordless] = [await makeAccount(test.db), await makeAccount(test.db)]
    await test.db.delete(credentials).where(eq(credentials.accountId, passwordless.id))
    for (const email of [known.email, passwordless.email, 'unknown@mit.edu']) {
      expect([email, await hashesDuring(() => login(email))]).toEqual([email, 1])
    }
  })
})

describe('Nothing is hashed', () => {
  const signUp = { email: 'newcomer@mit.edu', password: PASSWORD, name: 'Ada' }

  it.each([
    ['an address that may not join', { email: 'x@evil.com' }, 403],
    ['a password of fewer characters than are set', { password: 'q7f!d' }, 400],
    ['a password that is shorter than this server wants', { password: 'q7f!dkw' }, 400],
    ['a password of 257 characters', { password: 'a'.repeat(257) }, 400],
    ['a common password', { password: 'password' }, 400],
    ['a blank name', { name: ' ' }, 400],
  ])('for the sign-up of %s', async (_what, wrong, status) => {
    for (const path of ['register', 'smart-auth']) {
      const hashes = await hashesDuring(async () => {
        const answer = await test.visitor().post(`/api/auth/${path}`, { ...signUp, ...wrong })
        expect([path, answer.status]).toEqual([path, status])
      })
      expect([path, hashes]).toEqual([path, 0])
    }
  })

  it('for an address that is taken', async () => {
    const { email } = await makeAccount(test.db)
    const register = () => test.visitor().post('/api/auth/register', { ...signUp, email })
    expect(await hashesDuring(register)).toBe(0)
  })

  it('for a sign-in with an impossible password', async () => {
    const { email } = await makeAccount(test.db)
    for (const password of ['12345', 'a'.repeat(257)]) {
      expect(await hashesDuring(() => login(email, password))).toBe(0)
    }
  })

  it('while a sign-in has to wait', async () => {
    const { email } = await makeAccount(test.db)
    for (let count = 0; count < 5; count += 1) await login(email)
    expect(await hashesDuring(() => login(email, PASSWORD))).toBe(0)
  })
})

describe('A flood of sign-ins', () => {
  const flood = (networks: (index: number) => string, size = 150) =>
    Promise.all(Array.from({ length: size }, (_, index) => login(`flood${index}@mit.edu`, WRONG, networks(index))))

  it('is refused with 503 beyond a bounded queue, without slowing others', { tags: 'slow' }, async () => {
    const { email } = await makeAccount(test.db)
    const answers = await flood((index) => `10.9.${index}.1`)
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([401, 503])
    expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('1')
    expect((await login(email, PASSWORD)).status).toBe(200)
  })

  it('from one network takes half of the queue, and leaves the rest to others', { tags: 'slow' }, async () => {
    const { email } = await makeAccount(test.db)
    const [answers, other] = await Promise.all([
      flood((index) => `2001:db8::${index + 1}`),
      login(email, PASSWORD, '2001:db8:0:1::1'),
    ])
    const passed = answers.filter(({ status }) => status === 401).length
    expect(passed).toBeGreaterThanOrEqual(32)
    // A few more may enter the queue while others finish.
    expect(passed).toBeLessThan(60)
    expect(other.status).toBe(200)
  })

  it('from three networks leaves room for 8 of 8 right passwords from a fourth', { tags: 'slow' }, async () => {
    const emails = (await Promise.all(Array.from({ length: 8 }, () => makeAccount(test.db)))).map(({ email }) => email)
    const [answers, ...others] = await Promise.all([
      flood((index) => `10.8.${index % 3}.1`, 300),
      ...emails.map((email) => login(email, PASSWORD, '10.8.9.1')),
    ])
    expect(others.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const passed = answers.filter(({ status }) => status === 401)
    expect(passed.length).toBeGreaterThanOrEqual(24)
    expect(passed.length).toBeLessThan(100)
  })

  it('from any number of networks takes no place from a browser that is known to the account', {
    tags: 'slow',
  }, async () => {
    const fellows = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { email } = await makeAccount(test.db)
        const client = test.visitor()
        const signIn = () => client.post('/api/auth/login', { email, password: PASSWORD }, { ip: '10.7.9.1' })
        expect((await signIn()).status).toBe(200)
        return { client, signIn }
      }),
    )
    const change = { currentPassword: PASSWORD, newPassword: 'an entirely new one' }
    const [answers, ...known] = await Promise.all([
      flood((index) => `10.7.${index}.1`),
      ...fellows.slice(1).map(({ signIn }) => signIn()),
      fellows[0]?.client.post('/api/account/password', change),
    ])
    expect(answers.some(({ status }) => status === 503)).toBe(true)
    expect(known.map((answer) => answer?.status)).toEqual([...Array(7).fill(200), 204])
  })
})
