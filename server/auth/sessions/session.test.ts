import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessions } from '#server/db/schema.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, TestClient } from '#server/test/test-app.ts'
import { createSession } from './session.ts'
import { signedToken } from './signed-token.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('A session', () => {
  it('is new after sign-in, whatever cookie the browser sent', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    const planted = `${'a'.repeat(43)}.${'b'.repeat(43)}=`
    visitor.cookies.set('session', planted)
    expect((await visitor.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
    expect(visitor.cookies.get('session')).not.toBe(planted)
    const attacker = test.visitor()
    attacker.cookies.set('session', planted)
    expect((await attacker.get('/api/auth/me')).status).toBe(401)
  })

  it('is invalid after sign-out for every call: reads, changes and live streams', async () => {
    const account = await makeAccount(test.db)
    const { id } = await makeFounder(test.db, { creator: account })
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email: account.email, password: PASSWORD })
    const [session, token] = ['session', 'XSRF-TOKEN'].map((name) => visitor.cookies.get(name) as string)
    await visitor.post('/api/auth/logout')

    const replay = test.visitor()
    const restore = () => {
      replay.cookies.set('session', session as string)
      replay.cookies.set('XSRF-TOKEN', token as string)
    }
    for (const url of ['/api/auth/me', '/api/founders', '/api/events', `/api/founders/${id}`]) {
      restore()
      expect([url, (await replay.get(url)).status]).toEqual([url, 401])
    }
    restore()
    // The token was bound to the session, and became invalid with it.
    expect((await replay.put(`/api/founders/${id}`, { rating: 1 })).status).toBe(403)
    await replay.get('/api/auth/me')
    expect((await replay.put(`/api/founders/${id}`, { rating: 1 })).status).toBe(401)
  })

  it('is invalid on every server from its sign-out on', async () => {
    const account = await makeAccount(test.db)
    const here = test.visitor()
    await here.post('/api/auth/login', { email: account.email, password: PASSWORD })
    const there = new TestClient(await test.startAgain())
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    expect((await there.get('/api/auth/me')).status).toBe(200)
    await here.post('/api/auth/logout')
    expect((await there.get('/api/auth/me')).status).toBe(401)
  })
})

describe('The cookie of a session', () => {
  /** Whether this text is accepted in place of the session cookie that was sent. */
  const isTaken = async (cookie: string, app = test.app) => {
    const visitor = new TestClient(app)
    visitor.cookies.set('session', cookie)
    return (await visitor.get('/api/auth/me')).status === 200
  }

  it('is accepted only in the exact spelling in which it was set', async () => {
    const { client } = await fellowOf(test)
    const cookie = client.cookies.get('session') as string
    const [token, signature] = cookie.split('.') as [string, string]
    expect(await isTaken(cookie)).toBe(true)
    const bytes = Buffer.from(signature, 'base64')
    // The last character before the padding has unused bits.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const spare = letters[letters.indexOf(signature.at(-2) as string) + 1]
    for (const other of [
      `${token}.${signature.slice(0, -1)}`,
      `${token}.${signature}=`,
      `${token}.${signature} `,
      `${token}.${signature}.`,
      `${token}.${signature.slice(0, -2)}${spare}=`,
      `${token}.${signature.slice(0, 9)}!${signature.slice(9)}`,
      `${token}.${bytes.toString('base64url')}`,
      `${token}.${bytes.toString('base64url')}=`,
      `${token}.${bytes.toString('hex')}`,
      encodeURIComponent(cookie),
      ` ${cookie}`,
      `"${cookie}"`,
    ]) {
      // A signature without + and / is spelt alike in both forms of base64.
      if (other === cookie) continue
      expect([other, await isTaken(other)]).toEqual([other, false])
    }
  })

  it('is invalid when it is signed with another or an earlier secret', async () => {
    const { client } = await fellowOf(test)
    const cookie = client.cookies.get('session') as string
    const forged = signedToken(cookie.split('.')[0] as string, 'a secret that this server does not have')
    expect(await isTaken(forged)).toBe(false)
    const renewed = await test.startAgain({ AUTH_SECRET: 'the secret that replaces the old one' })
    expect(await isTaken(cookie)).toBe(true)
    expect(await isTaken(cookie, renewed)).toBe(false)
    await renewed.close()
  })
})

describe('An account', () => {
  const idsOf = async (accountId: string) =>
    (await test.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.accountId, accountId))).map(
      ({ id }) => id,
    )

  /** Opens the maximum number of sessions; the given one is the least recently used. */
  const fill = async (accountId: string) => {
    const usedAt = (index: number) => new Date(Date.now() - (50 - index) * 60_000)
    const rows = Array.from({ length: 50 }, (_, index) => ({
      id: `01900000-0000-7000-8000-${accountId.slice(-8)}${String(index).padStart(4, '0')}`,
      accountId,
      token: `${accountId} ${index}`,
      expiresAt: new Date(Date.now() + 3_600_000),
      // The newest session is the least recently used.
      createdAt: new Date(Date.now() - (index + 1) * 60_000),
      updatedAt: usedAt(index),
    }))
    await test.db.insert(sessions).values(rows)
    return rows.map(({ id }) => id)
  }

  it('has at most 50 sessions: a further one ends the least recently used one', async () => {
    const { id, email } = await makeAccount(test.db)
    const other = await makeAccount(test.db)
    const [before, ofOther] = [await fill(id), await fill(other.id)]
    const visitor = test.visitor()
    expect((await visitor.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
    const after = await idsOf(id)
    expect(after).toHaveLength(50)
    expect(before.filter((session) => !after.includes(session))).toEqual([before[0]])
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
    expect(await idsOf(other.id)).toHaveLength(ofOther.length)
  })

  it('has at most 50 sessions also when several are opened at the same time', { tags: 'slow' }, async () => {
    const { id } = await makeAccount(test.db)
    await fill(id)
    const limits = { idleSeconds: 60, absoluteSeconds: 60 }
    const open = () =>
      test.db.transaction(async (tx) => {
        await createSession(tx, limits, id, { ip: '127.0.0.1', userAgent: '' })
        // The sign-ins overlap.
        await pause(300)
      })
    await Promise.all([open(), open(), open()])
    expect(await idsOf(id)).toHaveLength(50)
  })

  it('loses no session when opening the further one fails', async () => {
    const { id, email } = await makeAccount(test.db)
    const before = await fill(id)
    await test.db.execute(
      "create function refuse_session() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
    )
    // Fails in the commit, after everything else.
    await test.db.execute(`create constraint trigger refuse_session after insert on sessions deferrable initially deferred
      for each row when (new.account_id = '${id}') execute function refuse_session()`)
    expect((await test.visitor().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(500)
    await test.db.execute('drop trigger refuse_session on sessions')
    expect((await idsOf(id)).sort()).toEqual(before.sort())
  })
})

describe('Signing out', () => {
  it('expires the session cookie, and keeps all other data of the site', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const { headers } = await visitor.post('/api/auth/logout')
    const lines = [headers['set-cookie']].flat() as string[]
    expect(lines.find((line) => line.startsWith('session='))).toMatch(
      /^session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/,
    )
    expect(lines.some((line) => line.startsWith('XSRF-TOKEN='))).toBe(true)
    expect(headers['clear-site-data']).toBeUndefined()
  })
})

describe('Over https', () => {
  it('cookies are sent to this host only, and scripts can read only the token', { tags: 'slow' }, async () => {
    const secure = await startTestApp({ PUBLIC_URL: 'https://sourcebook.example.com' })
    const { email } = await makeAccount(secure.db)
    const visitor = secure.visitor()
    const first = await visitor.get('/api/auth/me')
    const entry = await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const lines = [first.headers['set-cookie'], entry.headers['set-cookie']].flat() as string[]
    expect(lines.map((line) => line.split('=')[0]).sort()).toEqual([
      'XSRF-TOKEN',
      'XSRF-TOKEN',
      '__Host-device',
      '__Host-pre-session',
      '__Host-session',
    ])
    for (const line of lines) {
      expect(line).toMatch(/; Path=\//)
      expect(line).toMatch(/; Secure/)
      expect(line).toMatch(/; SameSite=Lax/)
      expect(line).not.toMatch(/Domain/i)
      expect(/; HttpOnly/.test(line)).toBe(!line.startsWith('XSRF-TOKEN'))
    }
    await secure.close()
  })
})
