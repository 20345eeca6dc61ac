import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tries } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { networkKey } from './throttle.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ THROTTLE_IP_FAILURES: '30' })
})
afterAll(() => test.close())

let network = 0
const freshIp = () => `198.51.100.${++network}`

const tryPassword = (email: string, password: string, ip: string, path = '/api/auth/login') =>
  test.visitor().post(path, { email, password }, { ip })

const failTimes = async (times: number, email: string, ip = freshIp()) => {
  const answers = []
  for (let count = 0; count < times; count += 1) answers.push(await tryPassword(email, 'not the password', ip))
  return answers
}

/** Lets the wait of an account be over without waiting for it. */
const endWait = (email: string) =>
  test.db
    .update(tries)
    .set({ blockedUntil: sql`now()` })
    .where(eq(tries.key, `account ${email}`))

describe('Wrong passwords', () => {
  it('are free five times, then the account has to wait 1 s', async () => {
    const { email } = await makeAccount(test.db)
    const answers = await failTimes(6, email)
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
    expect(answers[5]?.headers['retry-after']).toBe('1')
    expect(answers[5]?.body.error).toBe('Too many tries. Try again in 1 second.')
  })

  it('double the wait each time, up to 15 minutes', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(5, email, ip)
    const waits: number[] = []
    for (let round = 0; round < 12; round += 1) {
      waits.push(Number((await tryPassword(email, PASSWORD, ip)).headers['retry-after']))
      await endWait(email)
      await tryPassword(email, 'not the password', freshIp())
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  it('never block the right password for longer than that wait, and are forgotten with it', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(6, email, ip)
    await endWait(email)
    expect((await tryPassword(email, PASSWORD, ip)).status).toBe(200)
    expect((await failTimes(5, email, ip)).map(({ status }) => status)).toEqual(Array(5).fill(401))
  })

  it('count for the account whichever call, spelling or network they come by', async () => {
    const { email } = await makeAccount(test.db)
    const bad = 'not the password'
    const answers = [
      await tryPassword(email, bad, freshIp()),
      await tryPassword(email.toUpperCase(), bad, freshIp()),
      await tryPassword(email, bad, freshIp(), '/api/auth/smart-auth'),
      await tryPassword(email, bad, freshIp()),
      await tryPassword(email.toUpperCase(), bad, freshIp(), '/api/auth/smart-auth'),
      await tryPassword(email, bad, freshIp()),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('count for an address that has no account too, so that waiting tells nothing', async () => {
    expect((await failTimes(6, 'nobody-here@mit.edu')).at(-1)?.status).toBe(429)
  })

  it('of many accounts make their network wait', async () => {
    const ip = freshIp()
    for (let index = 0; index < 30; index += 1) await tryPassword(`spray${index}@mit.edu`, 'Winter2026!', ip)
    const { email } = await makeAccount(test.db)
    const blocked = await tryPassword(email, PASSWORD, ip)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(590)
    expect((await tryPassword(email, PASSWORD, freshIp())).status).toBe(200)
  })

  it('cannot be hidden behind an X-Forwarded-For that no proxy of ours set', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    const statuses = []
    for (let index = 0; index < 6; index += 1) {
      const headers = { 'x-forwarded-for': `1.2.3.${index}` }
      const visitor = test.visitor()
      statuses.push((await visitor.post('/api/auth/login', { email, password: 'wrong one' }, { ip, headers })).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it.each(['x-forwarded-user', 'x-webauth-user', 'x-remote-user', 'x-visitor-ip', 'forwarded', 'x-real-ip'])(
    'are of whoever sends them, and nobody is who they are by %s',
    async (header) => {
      const { email } = await makeAccount(test.db)
      const visitor = test.visitor()
      expect((await visitor.get('/api/auth/me', { headers: { [header]: email } })).status).toBe(401)
    },
  )

  it('are not forgotten for an address, a path or a body written in another way', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    await failTimes(5, email, ip)
    const body = { email, password: 'not the password' }
    for (const path of ['//api/auth/login', '/api//auth/login', '/api/auth/login/', '/API/auth/LOGIN']) {
      expect([path, (await test.visitor().post(path, body, { ip })).status]).toEqual([path, 404])
    }
    for (const spelled of [` ${email}`, `${email} `, `${email}\t`, `${email}.`, email.replace('@', '%40')]) {
      const { status } = await tryPassword(spelled, 'not the password', ip)
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

  it('arriving 40 at once pass the free ones by no more than run at a time', async () => {
    const { email } = await makeAccount(test.db)
    const ip = freshIp()
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryPassword(email, 'not the password', ip)))
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

describe('The key of a network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ])('of %s is %s', (ip, key) => {
    expect(networkKey(ip)).toBe(key)
  })
})

describe('Behind a proxy that is trusted', () => {
  it.each([
    ['one IPv4 address', ['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304', '1.2.3.4']],
    ['one IPv6 network', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::1:2:3:4']],
  ])('%s is one, however it is written', async (_what, addresses) => {
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

describe('A flood of sign-ins', () => {
  it('is refused with 503 beyond a bounded queue, and harms nobody', async () => {
    const { email } = await makeAccount(test.db)
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        tryPassword(`flood${index}@mit.edu`, 'not the password', `10.9.${index}.1`),
      ),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([401, 503])
    expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('1')
    expect((await tryPassword(email, PASSWORD, freshIp())).status).toBe(200)
  })
})
