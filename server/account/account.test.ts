import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchAuditLog } from '#server/audit-log/search.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

const signIn = async (email: string, ip = '203.0.113.7') => {
  const client = test.visitor()
  const headers = { 'user-agent': CHROME }
  await client.post('/api/auth/login', { email, password: PASSWORD }, { ip, headers })
  return client
}
const fellow = async () => {
  const account = await makeAccount(test.db)
  return { ...account, client: await signIn(account.email) }
}
const sessionsOf = async (client: Awaited<ReturnType<typeof signIn>>) =>
  (await client.get('/api/account')).body.sessions

describe('GET /account', () => {
  it('returns 401 when signed out', async () => {
    expect((await test.visitor().get('/api/account')).status).toBe(401)
  })

  it('shows the user, the protection of the account, and its sessions', async () => {
    const { name, email, client } = await fellow()
    const { body } = await client.get('/api/account')
    expect(body).toEqual({
      user: { name, email },
      emailVerified: false,
      hasPassword: true,
      twoFactor: { enabled: false, recoveryCodesLeft: 0 },
      sessions: [
        {
          id: expect.any(String),
          isCurrent: true,
          device: 'Chrome on Linux',
          ip: '203.0.113.7',
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
        },
      ],
    })
  })

  it('lists the current session first, and no sessions of others', async () => {
    const { email, client } = await fellow()
    await fellow()
    await signIn(email, '203.0.113.8')
    const sessions = await sessionsOf(client)
    expect(sessions.map((one: { isCurrent: boolean; ip: string }) => [one.isCurrent, one.ip])).toEqual([
      [true, '203.0.113.7'],
      [false, '203.0.113.8'],
    ])
  })

  it('contains no token', async () => {
    const { client } = await fellow()
    const token = client.cookies.get('session')?.split('.')[0] as string
    const { text } = await client.get('/api/account')
    expect(text).not.toContain(token)
    expect(text).not.toContain('sha256')
  })
})

describe('DELETE /account/sessions/{id}', () => {
  it('ends one session immediately, on every server', async () => {
    const { email, client } = await fellow()
    const other = await signIn(email)
    const [, second] = await sessionsOf(client)
    const elsewhere = await test.startAgain()
    expect((await client.delete(`/api/account/sessions/${second.id}`)).status).toBe(204)
    expect((await other.get('/api/auth/me')).status).toBe(401)
    const cookie = `session=${encodeURIComponent(other.cookies.get('session') ?? '')}`
    expect((await elsewhere.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(401)
    expect((await client.get('/api/auth/me')).status).toBe(200)
    await elsewhere.close()
  })

  it("returns 404 for another account's session, and does not end it", async () => {
    const [me, stranger] = [await fellow(), await fellow()]
    const [theirs] = await sessionsOf(stranger.client)
    expect(await me.client.delete(`/api/account/sessions/${theirs.id}`)).toMatchObject({
      status: 404,
      body: { error: 'There is no such session' },
    })
    expect((await stranger.client.get('/api/auth/me')).status).toBe(200)
  })

  it.each(['nonsense', '0197f000-0000-7000-8000-000000000000'])('returns 404 for %s', async (id) => {
    expect((await (await fellow()).client.delete(`/api/account/sessions/${id}`)).status).toBe(404)
  })

  it('signs out when it is the current session', async () => {
    const { client } = await fellow()
    const [mine] = await sessionsOf(client)
    expect((await client.delete(`/api/account/sessions/${mine.id}`)).status).toBe(204)
    expect(client.cookies.has('session')).toBe(false)
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })
})

describe('DELETE /account/sessions', () => {
  it('ends all sessions except the current one', async () => {
    const { email, client } = await fellow()
    const others = [await signIn(email), await signIn(email)]
    expect((await client.delete('/api/account/sessions')).status).toBe(204)
    for (const other of others) expect((await other.get('/api/auth/me')).status).toBe(401)
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })
})

describe('PATCH /account', () => {
  const rename = (client: Awaited<ReturnType<typeof signIn>>, name: unknown) =>
    client.call('PATCH', '/api/account', { body: { name } })

  it('returns 401 when signed out', async () => {
    expect((await rename(test.visitor(), 'Grace')).status).toBe(401)
  })

  it('trims the name, and changes it everywhere: the account, the current user, records, notes, the dashboard', async () => {
    const { email, client, ...account } = await fellow()
    const founder = await makeFounder(test.db, { creator: { ...account, email } })
    await client.post(`/api/notes/founder/${founder.id}`, { content: 'Met at the fair.' })
    expect(await rename(client, '  Grace Hopper ')).toMatchObject({
      status: 200,
      body: { user: { name: 'Grace Hopper', email } },
    })
    expect((await client.get('/api/account')).body.user).toEqual({ name: 'Grace Hopper', email })
    expect((await client.get('/api/auth/me')).body.user).toEqual({ name: 'Grace Hopper', email })
    const other = (await fellow()).client
    expect((await other.get(`/api/founders/${founder.id}`)).body).toMatchObject({
      createdBy: 'Grace Hopper',
      notesPreview: [{ author: 'Grace Hopper' }],
    })
    expect((await other.get('/api/dashboard')).body.fellows).toContainEqual({
      createdBy: 'Grace Hopper',
      founders: 1,
      companies: 0,
    })
  })

  it('writes one audit entry with both names; the same name again writes none', async () => {
    const { id, name, email, client } = await fellow()
    await rename(client, 'Grace Hopper')
    await rename(client, 'Grace Hopper')
    const rows = await searchAuditLog(test.db, { person: email, actions: ['account-name'] }, 10)
    expect(rows).toMatchObject([
      {
        accountId: id,
        kind: 'account',
        objectId: id,
        result: 'done',
        before: { name },
        after: { name: 'Grace Hopper' },
      },
    ])
  })

  it.each([
    ['', 'Name is required'],
    ['   ', 'Name is required'],
    [undefined, 'Name is required'],
    [7, 'Name must be text'],
    ['x'.repeat(101), 'Name must be at most 100 characters'],
    ['Ada\nLovelace', 'Name must be on one line'],
    ['Ada, see www.evil.example', 'Enter your name only, without a web address or a slash'],
  ])('refuses %j by the rule of sign-up', async (name, sentence) => {
    const { client } = await fellow()
    expect(await rename(client, name)).toMatchObject({ status: 400, body: { fields: { name: sentence } } })
  })

  it('takes 100 characters, counted as code points', async () => {
    const name = '\u{1f98a}'.repeat(100)
    expect(await rename((await fellow()).client, name)).toMatchObject({ status: 200, body: { user: { name } } })
  })
})

describe('POST /account/password', () => {
  const NEW = 'an entirely new one'
  const change = (client: Awaited<ReturnType<typeof signIn>>, body: Record<string, unknown> = {}) =>
    client.post('/api/account/password', { currentPassword: PASSWORD, newPassword: NEW, ...body })

  it('returns 204, and only the new password signs in afterwards', async () => {
    const { email, client } = await fellow()
    expect((await change(client)).status).toBe(204)
    const login = (password: string) => test.visitor().post('/api/auth/login', { email, password })
    expect([(await login(PASSWORD)).status, (await login(NEW)).status]).toEqual([401, 200])
  })

  it('ends every other session, and gives this one a new cookie and a new token', async () => {
    const { email, client } = await fellow()
    const other = await signIn(email)
    const [session, token] = [client.cookies.get('session') as string, client.cookies.get('XSRF-TOKEN') as string]
    await change(client)
    expect((await other.get('/api/auth/me')).status).toBe(401)
    expect(client.cookies.get('session')).not.toBe(session)
    expect((await client.get('/api/auth/me')).status).toBe(200)
    const replay = test.visitor()
    replay.cookies.set('session', session)
    expect((await replay.get('/api/auth/me')).status).toBe(401)
    const stale = { headers: { 'x-xsrf-token': token } }
    expect((await client.post('/api/account/password', {}, stale)).body.code).toBe('forgery')
    expect((await change(client, { currentPassword: NEW, newPassword: PASSWORD })).status).toBe(204)
  })

  it('ends the live streams of earlier sessions', async () => {
    const { client } = await fellow()
    const base = await test.app.listen({ port: 0, host: '127.0.0.1' })
    const cookie = `session=${encodeURIComponent(client.cookies.get('session') ?? '')}`
    const stream = await fetch(`${base}/api/events`, { headers: { cookie } })
    await change(client)
    expect(await stream.text()).toContain('retry')
  })

  it('returns 400 at the field for a wrong current password, and changes nothing', async () => {
    const { email, client } = await fellow()
    expect(await change(client, { currentPassword: 'not the password' })).toMatchObject({
      status: 400,
      body: { fields: { currentPassword: 'This is not your password' } },
    })
    expect((await test.visitor().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
  })

  it('counts wrong passwords like sign-in', async () => {
    const { client } = await fellow()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await change(client, { currentPassword: 'not the password' })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })

  it.each([
    ['a common one', 'letmein', 'This password is too common. Choose another.'],
    ['one of 5', 'q7f!d', 'Password must be at least 6 characters long'],
  ])('returns 400 at the field for %s', async (_what, newPassword, sentence) => {
    const { client } = await fellow()
    expect(await change(client, { newPassword })).toMatchObject({
      status: 400,
      body: { fields: { newPassword: sentence } },
    })
  })

  it('returns 401 when signed out', async () => {
    expect((await change(test.visitor())).status).toBe(401)
  })
})

describe('Signing up', () => {
  it.each([
    ['letmein', 'This password is too common. Choose another.'],
    ['newcomer', 'Password must not be your email address'],
    ['sourcebook', 'Password must not be the name of this product or programme'],
  ])('refuses the password %s with the reason', async (password, reason) => {
    for (const path of ['register', 'smart-auth']) {
      const body = { email: 'newcomer@mit.edu', name: 'Ada', password }
      expect(await test.visitor().post(`/api/auth/${path}`, body)).toMatchObject({
        status: 400,
        body: { error: reason, fields: { password: reason } },
      })
    }
  })

  it('accepts a random password of twelve characters', async () => {
    const body = { email: 'twelve@mit.edu', name: 'Ada', password: 'q7f!dkw2mzxp' }
    expect((await test.visitor().post('/api/auth/register', body)).status).toBe(201)
  })

  it('applies the configured minimum length', { tags: 'slow' }, async () => {
    const strict = await startTestApp({ PASSWORD_MIN_LENGTH: '12' })
    const body = { email: 'strict@mit.edu', name: 'Ada', password: 'q7f!dkw2mz' }
    expect((await strict.visitor().post('/api/auth/register', body)).body.fields).toEqual({
      password: 'Password must be at least 12 characters long',
    })
    await strict.close()
  })
})
