import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceThrottle } from '#server/auth/test/advance-throttle.ts'
import { sessions } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { waitAfter } from './throttle.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ THROTTLE_IP_FAILURES: '30' })
})
afterAll(() => test.close())

let network = 0
const freshIp = () => `198.51.100.${++network}`

const WRONG = 'not the password'
const tryPassword = (email: string, password: string, ip: string, path = '/api/auth/login') =>
  test.visitor().post(path, { email, password }, { ip })

const failTimes = async (times: number, email: string, ip = freshIp()) => {
  const answers = []
  for (let count = 0; count < times; count += 1) answers.push(await tryPassword(email, WRONG, ip))
  return answers
}
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

describe('The wait after failures in a row', () => {
  const limits = readSettings({}).throttle

  it.each([
    [0, 0],
    [1, 0],
    [4, 0],
    [5, 1],
    [6, 2],
    [7, 4],
    [8, 8],
    [9, 16],
    [10, 32],
    [11, 64],
    [12, 128],
    [13, 256],
    [14, 512],
    [15, 900],
    [16, 900],
    [100, 900],
    [5000, 900],
  ])('of %i is %i s', (failures, seconds) => {
    expect(waitAfter(failures, limits)).toBe(seconds)
  })

  it('has the configured length', () => {
    const set = readSettings({ THROTTLE_ACCOUNT_FREE: '2', THROTTLE_ACCOUNT_MAX_SECONDS: '3' }).throttle
    expect([1, 2, 3, 4, 5].map((failures) => waitAfter(failures, set))).toEqual([0, 1, 2, 3, 3])
  })
})

describe('Wrong passwords', () => {
  it('cost no wait five times, then 1 s for the account', async () => {
    const { email } = await makeAccount(test.db)
    const answers = await failTimes(6, email)
    expect(statusesOf(answers)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers[5]?.headers['retry-after']).toBe('1')
    expect(answers[5]?.body.error).toBe('Too many attempts. Try again in 1 second.')
  })

  it('double the wait each time, and never block the right password for longer', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(5, email, ip)
    const waits: number[] = []
    for (let round = 0; round < 4; round += 1) {
      const wait = Number((await tryPassword(email, PASSWORD, ip)).headers['retry-after'])
      waits.push(wait)
      await advanceThrottle(test.db, wait)
      if (round < 3) await failTimes(1, email, ip)
    }
    expect(waits).toEqual([1, 2, 4, 8])
    expect((await tryPassword(email, PASSWORD, ip)).status).toBe(200)
  })

  it('are reset by the right password, and a day after the last one', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(4, email, ip)
    expect((await tryPassword(email, PASSWORD, ip)).status).toBe(200)
    expect(statusesOf(await failTimes(4, email, ip))).toEqual(Array(4).fill(401))
    await advanceThrottle(test.db, 86_390)
    expect(statusesOf(await failTimes(2, email, ip))).toEqual([401, 429])
    await advanceThrottle(test.db, 86_401)
    expect(statusesOf(await failTimes(5, email, ip))).toEqual(Array(5).fill(401))
  })

  it('count in every call and every spelling of the address', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    const answers = [
      await tryPassword(email, WRONG, ip),
      await tryPassword(email.toUpperCase(), WRONG, ip),
      await tryPassword(email, WRONG, ip, '/api/auth/smart-auth'),
      await tryPassword(email, WRONG, ip),
      await tryPassword(email.toUpperCase(), WRONG, ip, '/api/auth/smart-auth'),
      await tryPassword(email, WRONG, ip),
    ]
    expect(statusesOf(answers)).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('also count for an address without an account, so that the wait reveals nothing', async () => {
    expect((await failTimes(6, 'unknown-here@mit.edu')).at(-1)?.status).toBe(429)
  })

  it('at many accounts make their network wait', { tags: 'slow' }, async () => {
    const ip = freshIp()
    for (let index = 0; index < 30; index += 1) await tryPassword(`spray${index}@mit.edu`, 'Winter2026!', ip)
    const { email } = await makeAccount(test.db)
    const blocked = await tryPassword(email, PASSWORD, ip)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(400)
    expect((await tryPassword(email, PASSWORD, freshIp())).status).toBe(200)
  })

  it('cannot be hidden behind an X-Forwarded-For that no trusted proxy set', async () => {
    const { id, email } = await makeAccount(test.db)
    const ip = freshIp()
    const send = (password: string, index: number) =>
      test
        .visitor()
        .post('/api/auth/login', { email, password }, { ip, headers: { 'x-forwarded-for': `1.2.3.${index}` } })
    expect((await send(PASSWORD, 0)).status).toBe(200)
    const kept = await test.db.select().from(sessions).where(eq(sessions.accountId, id))
    expect(kept.map(({ ipAddress }) => ipAddress)).toEqual([ip])
    const answers = []
    for (let index = 1; index <= 6; index += 1) answers.push(await send(WRONG, index))
    expect(answers.at(-1)?.status).toBe(429)
  })

  it.each(['x-forwarded-user', 'x-webauth-user', 'x-remote-user', 'x-visitor-ip', 'forwarded', 'x-real-ip'])(
    'count for their sender, who is not identified by %s',
    async (header) => {
      const { email } = await makeAccount(test.db)
      const visitor = test.visitor()
      expect((await visitor.get('/api/auth/me', { headers: { [header]: email } })).status).toBe(401)
    },
  )

  it('still count when the address, path or body is written differently', { tags: 'slow' }, async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(5, email, ip)
    const body = { email, password: WRONG }
    for (const path of ['//api/auth/login', '/api//auth/login', '/api/auth/login/', '/API/auth/LOGIN']) {
      expect([path, (await test.visitor().post(path, body, { ip })).status]).toEqual([path, 404])
    }
    for (const spelled of [` ${email}`, `${email} `, `${email}\t`, `${email}.`, email.replace('@', '%40')]) {
      const { status } = await tryPassword(spelled, WRONG, ip)
      expect([spelled, status === 400 || status === 401]).toEqual([spelled, true])
    }
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    const twice = await visitor.raw({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: ip,
      headers: { 'content-type': 'application/json', 'x-xsrf-token': visitor.cookies.get('XSRF-TOKEN') as string },
      payload: `{"email":"other@mit.edu","password":"not the password","email":"${email}"}`,
    })
    expect(twice.status).toBe(429)
    expect((await tryPassword(email, PASSWORD, ip)).status).toBe(429)
  })

  it('arriving 30 at the same time exceed the limit by at most the number that run at a time', {
    tags: 'slow',
  }, async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryPassword(email, WRONG, ip)))
    const tried = answers.filter(({ status }) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(5)
    expect(tried).toBeLessThanOrEqual(7)
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true)
  })
})

describe('What does not count', () => {
  it.each([
    ['the right password', (email: string) => ({ email, password: PASSWORD })],
    ['a password that is too short', (email: string) => ({ email, password: '12345' })],
    ['a list for a password', (email: string) => ({ email, password: [] })],
  ])('%s', async (_what, body) => {
    const { email } = await makeAccount(test.db)
    for (let count = 0; count < 8; count += 1) await test.visitor().post('/api/auth/login', body(email))
    expect((await test.visitor().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
  })
})

describe('Behind a trusted proxy', () => {
  it.each([
    ['one IPv4 address', ['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304', '1.2.3.4']],
    ['one IPv6 network', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::1:2:3:4']],
  ])('%s is one, in any spelling', { tags: 'slow' }, async (_what, addresses) => {
    const proxied = await startTestApp({ TRUST_PROXY: 'true', THROTTLE_IP_FAILURES: '3' })
    const statuses: number[] = []
    for (const [index, address] of [...addresses, '9.9.9.9'].entries()) {
      const body = { email: `proxied${index}@mit.edu`, password: 'not the password' }
      const headers = { 'x-forwarded-for': address }
      statuses.push((await proxied.visitor().post('/api/auth/login', body, { headers })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 401])
    await proxied.close()
  })
})
