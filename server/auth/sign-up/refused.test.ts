import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFUSED_ADDRESSES } from '#server/auth/test/refused-addresses.ts'
import { accounts } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ TEAM_DOMAIN: 'team.example' })
})
afterAll(() => test.close())

const WAYS_IN = ['register', 'smart-auth', 'login', 'check-user'] as const
const isRefusal = (status: number) => [400, 401, 403, 404, 413].includes(status)

describe('An address that may not join', () => {
  it.each(REFUSED_ADDRESSES)('is refused by every call that signs up or in: %s', async (_what, email) => {
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    for (const way of WAYS_IN) {
      const { status } = await visitor.post(`/api/auth/${way}`, { email, password: PASSWORD, name: 'X' })
      expect([way, status, isRefusal(status)]).toEqual([way, status, true])
    }
    expect(visitor.cookies.has('session')).toBe(false)
  })

  it('created no account', async () => {
    expect(await test.db.select().from(accounts)).toEqual([])
  })
})

describe('A value of another type in place of text', () => {
  const ODD: unknown[] = [[], ['a@mit.edu', 'e@evil.com'], { $ne: '' }, { toString: 'x' }, 1, true, null]

  it.each(['email', 'password', 'name'] as const)('is 400 in every call that signs up or in, as %s', async (field) => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    for (const way of WAYS_IN) {
      if (way === 'check-user' && field !== 'email') continue
      if (way === 'login' && field === 'name') continue
      for (const odd of ODD) {
        const body = { email, password: PASSWORD, name: 'X', [field]: odd }
        const answer = await visitor.post(`/api/auth/${way}`, body)
        expect([way, odd, answer.status]).toEqual([way, odd, 400])
        expect(answer.body.fields[field]).toBeTypeOf('string')
      }
    }
  })

  it.each(["'", '"', "';--", "'||pg_sleep(3)||'", '$1', '\\x27', '${7*7}'])(
    'is harmless as part of an address: %s',
    async (text) => {
      const answer = await test.visitor().post('/api/auth/check-user', { email: `a${text}@mit.edu` })
      expect(isRefusal(answer.status)).toBe(true)
    },
  )
})

describe('A password', () => {
  it.each([
    ['5 characters', '12345', 400],
    ['5 characters of two units each', '\u{1f98a}'.repeat(5), 400],
    ['257 characters', 'a'.repeat(257), 400],
    ['100,000 characters', 'a'.repeat(100_000), 400],
    ['1 MB', 'a'.repeat(1_000_000), 413],
  ])('of %s is refused by every call that signs up or in', async (_what, password, status) => {
    const { email } = await makeAccount(test.db)
    for (const way of ['register', 'smart-auth', 'login']) {
      const answer = await test.visitor().post(`/api/auth/${way}`, { email, password, name: 'X' })
      expect([way, answer.status]).toEqual([way, status])
    }
  })

  it.each([64, 128, 256])(
    'of %s characters is accepted, and its last character counts',
    { tags: 'slow' },
    async (length) => {
      const email = `long${length}@mit.edu`
      const password = 'a'.repeat(length - 1)
      const joined = await test.visitor().post('/api/auth/register', { email, password: `${password}X`, name: 'L' })
      expect(joined.status).toBe(201)
      expect((await test.visitor().post('/api/auth/login', { email, password: `${password}Y` })).status).toBe(401)
      expect((await test.visitor().post('/api/auth/login', { email, password: `${password}X` })).status).toBe(200)
    },
  )
})

describe('A name', () => {
  it.each([
    ['markup', '<img src=x onerror=alert(1)>'],
    ['an address of another person', 'ada@mit.edu'],
    ['letters from right to left', 'عائشة'],
  ])('of %s is stored as plain text', async (what, name) => {
    const email = `named-${what.length}@mit.edu`
    const answer = await test.visitor().post('/api/auth/register', { email, password: PASSWORD, name })
    expect(answer).toMatchObject({ status: 201, body: { user: { name, email } } })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.each([
    ['10,000 characters', 'a'.repeat(10_000)],
    ['marks that turn what stands around it', 'Ada \u202egnp.exe'],
    ['marks that set it apart', '\u2067Ada\u2069'],
  ])('of %s is 400', async (_what, name) => {
    const body = { email: 'turned@mit.edu', password: PASSWORD, name }
    expect(await test.visitor().post('/api/auth/register', body)).toMatchObject({
      status: 400,
      body: { fields: { name: expect.any(String) } },
    })
  })
})
