import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken } from '#server/auth/links/one-time-tokens.ts'
import { advanceThrottle } from '#server/auth/test/advance-throttle.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// Whether a stranger can lock people out of their accounts with wrong passwords.

/** Smaller windows than those of the product, so that fewer passwords fill them. */
const [HOUR, DAY] = [10, 60]

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ THROTTLE_ACCOUNT_HOUR: String(HOUR), THROTTLE_ACCOUNT_DAY: String(DAY) })
})
afterAll(() => test.close())

const WRONG = 'not the password'
const NEW = 'an entirely new one'
const QUARTER_OF_AN_HOUR = 900
const ROUNDS = 20

let number = 0
/** Each call uses a different network. */
const freshIp = () => `10.${Math.floor(++number / 250)}.${number % 250}.1`

const signIn = (email: string, { client = test.visitor(), password = PASSWORD, ip = freshIp() } = {}) =>
  client.post('/api/auth/login', { email, password }, { ip })

/** A person who has signed in before, in this browser. */
const fellow = async ({ db, visitor } = test) => {
  const account = await makeAccount(db)
  const client = visitor()
  await signIn(account.email, { client })
  return { ...account, client }
}
const change = (client: TestClient, currentPassword = PASSWORD, newPassword = NEW) =>
  client.post('/api/account/password', { currentPassword, newPassword }, { ip: freshIp() })

/** A stranger tries passwords from many networks until the account accepts no more of them for an hour. */
const besiege = async (email: string, times = HOUR + 1) => {
  let last = await signIn(email, { password: WRONG })
  for (let count = 1; count < times; count += 1) last = await signIn(email, { password: WRONG })
  return last
}

describe('A stranger with one wrong password every 15 minutes', () => {
  it('locks no one out of signing in or changing the password, in a known browser or not', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const usual = await startTestApp()
    const { email, client } = await fellow(usual)
    const stranger = { password: WRONG, ip: freshIp() }
    const tryWrong = async () => {
      await advanceThrottle(usual.db, QUARTER_OF_AN_HOUR)
      expect((await signIn(email, { ...stranger, client: usual.visitor() })).status).toBe(401)
    }
    // Until the next attempt has to wait a quarter of an hour.
    for (let count = 0; count < 15; count += 1) await tryWrong()
    const statuses: number[][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await tryWrong()
      const known = await signIn(email, { client })
      const unknown = await signIn(email, { client: usual.visitor() })
      statuses.push([known.status, unknown.status])
    }
    expect(statuses).toEqual(Array(ROUNDS).fill([200, 200]))
    expect((await change(client)).status).toBe(204)
    await usual.close()
  })
})

describe('A stranger with many networks', () => {
  it('can try a limited number of wrong passwords per hour and per day for an account', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    expect(readSettings({}).throttle).toMatchObject({ accountHour: 50, accountDay: 100 })
    const { email } = await makeAccount(test.db)
    const refused = await besiege(email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect(refused.body.error).toMatch(/^Too many attempts. Try again in (5\d|60) minutes.$/)
    for (let count = HOUR; count < DAY; count += HOUR) {
      await advanceThrottle(test.db, 3601)
      expect((await besiege(email, HOUR)).status).toBe(401)
    }
    const atLast = await signIn(email)
    expect(atLast.status).toBe(429)
    // The longer of the two waits is that of the day, of which five hours have passed.
    expect(Number(atLast.headers['retry-after'])).toBeGreaterThan(18 * 3600)
    expect(atLast.body.error).toBe('Too many attempts. Try again in 19 hours.')
  })

  it('cannot lock out a browser that has signed in before or that opens a reset link', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { id, email, client } = await fellow()
    expect((await client.post('/api/auth/logout')).status).toBe(204)
    expect((await besiege(email)).status).toBe(429)
    expect((await signIn(email)).status).toBe(429)
    expect((await signIn(email, { client })).status).toBe(200)

    expect((await change(client)).status).toBe(204)
    await client.post('/api/auth/logout')
    expect((await signIn(email, { client, password: NEW })).status).toBe(200)

    const token = await createToken(test.db, 'operator_reset', id, 60)
    const elsewhere = test.visitor()
    await elsewhere.post('/api/auth/reset/confirm', { token, password: 'yet another new one' })
    expect((await signIn(email, { client: elsewhere, password: 'yet another new one' })).status).toBe(200)
  })

  it('still has to wait after a right password', { tags: 'slow', timeout: 60_000 }, async () => {
    const { email } = await makeAccount(test.db)
    await besiege(email, HOUR - 1)
    expect((await signIn(email)).status).toBe(200)
    expect((await besiege(email, 2)).status).toBe(429)
  })
})

describe('A known browser', () => {
  it('has its own counter in every network, and does not add to the others', async () => {
    const { email, client } = await fellow()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await signIn(email, { client, password: WRONG })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    for (let count = 5; count <= HOUR; count += 1) {
      await advanceThrottle(test.db, 64)
      expect((await signIn(email, { client, password: WRONG })).status).toBe(401)
    }
    expect((await signIn(email)).status).toBe(200)
  }, 60_000)

  it('has to wait after its own wrong passwords; another known browser does not', async () => {
    const { email, client } = await fellow()
    const other = test.visitor()
    await signIn(email, { client: other })
    for (let count = 0; count < 5; count += 1) await signIn(email, { client, password: WRONG })
    expect((await signIn(email, { client })).status).toBe(429)
    expect((await signIn(email, { client: other })).status).toBe(200)
  })

  it('is unknown to other accounts, and to its own after a new password elsewhere', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const [me, other] = [await fellow(), await fellow()]
    const device = me.client.cookies.get('device') as string
    await besiege(other.email)
    expect((await signIn(other.email, { client: me.client })).status).toBe(429)

    const elsewhere = test.visitor()
    await signIn(me.email, { client: elsewhere })
    await change(elsewhere)
    await besiege(me.email)
    await me.client.get('/api/auth/me')
    expect(me.client.cookies.get('device')).toBe(device)
    expect((await signIn(me.email, { client: me.client, password: NEW })).status).toBe(429)
  })

  it('has a cookie for 400 days that scripts cannot read', async () => {
    const { email } = await makeAccount(test.db)
    const answer = await signIn(email)
    const line = [answer.headers['set-cookie']].flat().find((one) => one?.startsWith('device='))
    expect(line).toContain('HttpOnly')
    expect(line).toContain('SameSite=Lax')
    expect(line).toContain(`Max-Age=${400 * 86_400}`)
    expect(String((await signIn(email, { password: WRONG })).headers['set-cookie'])).not.toContain('device=')
  })
})

describe('Confirming with the password while signed in', () => {
  it('has its own counter, which wrong sign-ins do not change', async () => {
    const { email, client } = await fellow()
    for (let count = 0; count < 5; count += 1) await signIn(email, { client, password: WRONG })
    expect((await signIn(email, { client })).status).toBe(429)
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await change(client, WRONG)).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })
})
