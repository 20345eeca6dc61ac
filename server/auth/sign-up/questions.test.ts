import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceThrottle } from '#server/auth/test/advance-throttle.ts'
import { accounts } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { type Answered, startTestApp, type TestApp } from '#server/test/test-app.ts'

// Limits on requests of one network without an account.

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

let number = 0
const freshIp = () => `203.0.113.${++number}`
const freshAddress = () => `newcomer${++number}@mit.edu`
const with429 = (answers: Answered[]) => answers.filter(({ status }) => status === 429)

const check = (email: string, ip: string) => test.visitor().post('/api/auth/check-user', { email }, { ip })
const smartAuth = (email: string, ip: string, more: object = {}) =>
  test.visitor().post('/api/auth/smart-auth', { email, password: PASSWORD, ...more }, { ip })
const register = (email: string, ip: string) =>
  test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' }, { ip })

const times = async (count: number, ask: () => Promise<Answered>) => {
  const answers: Answered[] = []
  for (let index = 0; index < count; index += 1) answers.push(await ask())
  return answers
}

describe('Questions whether an address has an account', () => {
  it('are limited to 100 in 10 s from a network, across all calls', { tags: 'slow', timeout: 60_000 }, async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    const asked = [
      ...(await times(34, () => check(freshAddress(), ip))),
      ...(await times(33, () => smartAuth(freshAddress(), ip))),
      ...(await times(33, () => register(email, ip))),
    ]
    expect(with429(asked)).toEqual([])
    for (const ask of [() => check(email, ip), () => smartAuth(freshAddress(), ip), () => register(email, ip)]) {
      const { status, headers } = await ask()
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10)
    }
    expect((await check(email, freshIp())).status).toBe(200)
    await advanceThrottle(test.db, 11)
    expect((await check(email, ip)).status).toBe(200)
  })

  it('beyond the limit reveal nothing by smart-auth, which returns the same with and without an account', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { email } = await makeAccount(test.db)
    const known = test.visitor()
    const ip = freshIp()
    await known.post('/api/auth/login', { email, password: PASSWORD }, { ip })
    await times(100, () => check('any@mit.edu', ip))
    const [one, other] = [await smartAuth(email, ip), await smartAuth(freshAddress(), ip)]
    expect([one.status, other.status]).toEqual([429, 429])
    expect(one.body.error).toMatch(/^Too many attempts/)
    // A browser that has signed in before learns nothing new, and can still sign in.
    expect((await known.post('/api/auth/smart-auth', { email, password: PASSWORD }, { ip })).status).toBe(200)
  })

  it('do not include an address that may not join, invalid input, and signing in', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await times(60, () => check('x@evil.com', ip))
    await times(60, () => smartAuth('no address', ip))
    await times(10, () => smartAuth(email, ip))
    expect(with429(await times(100, () => check(email, ip)))).toEqual([])
    expect((await check(email, ip)).status).toBe(429)
  })
})

describe('New accounts', () => {
  it('are limited to 60 in 10 minutes from a network, also when concurrent', async () => {
    const ip = freshIp()
    const before = await test.db.$count(accounts)
    const answers: Answered[] = []
    for (let round = 0; round < 5; round += 1) {
      const some = Array.from({ length: 20 }, (_, index) =>
        index % 2 ? register(freshAddress(), ip) : smartAuth(freshAddress(), ip, { name: 'Ada' }),
      )
      answers.push(...(await Promise.all(some)))
    }
    expect((await test.db.$count(accounts)) - before).toBe(60)
    const refused = with429(answers)
    expect(refused).toHaveLength(40)
    expect(Number(refused.at(-1)?.headers['retry-after'])).toBeGreaterThan(300)
    expect((await register(freshAddress(), freshIp())).status).toBe(201)
    // The same for an address that is taken; otherwise the refusal would reveal the difference.
    const { email } = await makeAccount(test.db)
    expect((await register(email, ip)).status).toBe(429)
    await advanceThrottle(test.db, 601)
    expect((await register(freshAddress(), ip)).status).toBe(201)
  }, 60_000)
})
