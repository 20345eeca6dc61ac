import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, credentials, sessions } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ TEAM_DOMAIN: 'team.example' })
})
afterAll(() => test.close())

let number = 0
const freshAddress = () => `visitor${++number}@mit.edu`

const SAME_REFUSAL = { error: 'The email address or the password is wrong' }
const REFUSED = { error: 'Use an educational (.edu) address or one at team.example to join' }

describe('POST /auth/check-user', () => {
  it('returns login for an address that has an account', async () => {
    const { email } = await makeAccount(test.db)
    const answer = await test.visitor().post('/api/auth/check-user', { email })
    expect(answer).toMatchObject({ status: 200, body: { exists: true, action: 'login' } })
  })

  it('returns signup for an address that may join', async () => {
    const answer = await test.visitor().post('/api/auth/check-user', { email: 'new@mit.edu' })
    expect(answer).toMatchObject({ status: 200, body: { exists: false, action: 'signup' } })
  })

  it('returns signup for an address of the team', async () => {
    const answer = await test.visitor().post('/api/auth/check-user', { email: 'new@team.example' })
    expect(answer.body).toEqual({ exists: false, action: 'signup' })
  })

  it('returns 403 for an address that may not join and has no account', async () => {
    expect(await test.visitor().post('/api/auth/check-user', { email: 'x@evil.com' })).toMatchObject({
      status: 403,
      body: REFUSED,
    })
  })

  it('finds an account in any case of the address', async () => {
    const { email } = await makeAccount(test.db)
    const answer = await test.visitor().post('/api/auth/check-user', { email: email.toUpperCase() })
    expect(answer.body).toEqual({ exists: true, action: 'login' })
  })

  it('does not treat a foreign letter as an ASCII letter', async () => {
    await makeAccount(test.db, { email: 'k@kent.edu' })
    const answer = await test.visitor().post('/api/auth/check-user', { email: '\u212a@kent.edu' })
    expect(answer).toMatchObject({ status: 400, body: { fields: { email: 'Enter a valid email address' } } })
  })

  it.each([
    ['nothing', {}, 'Email is required'],
    ['an empty address', { email: '' }, 'Email is required'],
    ['null', { email: null }, 'Email is required'],
    ['a number', { email: 1 }, 'Enter a valid email address'],
    ['a list', { email: ['a@mit.edu', 'e@evil.com'] }, 'Enter a valid email address'],
    ['an object', { email: { $ne: '' } }, 'Enter a valid email address'],
    ['an address without @', { email: 'mit.edu' }, 'Enter a valid email address'],
    ['an address with a space', { email: 'a b@mit.edu' }, 'Enter a valid email address'],
    ['an address of 300 characters', { email: `${'a'.repeat(300)}@mit.edu` }, 'Enter a valid email address'],
  ])('returns 400 with a sentence at the field for %s', async (_what, body, sentence) => {
    const answer = await test.visitor().post('/api/auth/check-user', body)
    expect(answer).toMatchObject({ status: 400, body: { error: sentence, fields: { email: sentence } } })
  })

  it('is throttled by network address', { tags: 'slow' }, async () => {
    const visitor = test.visitor()
    const asked = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        visitor.post('/api/auth/check-user', { email: `n${index}@mit.edu` }, { ip: '203.0.113.9' }),
      ),
    )
    const refused = asked.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused[0]?.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect((await visitor.post('/api/auth/check-user', { email: 'n@mit.edu' }, { ip: '203.0.113.10' })).status).toBe(
      200,
    )
  })
})

describe('POST /auth/register', () => {
  it('returns 201 with only name and e-mail, and signs in', async () => {
    const visitor = test.visitor()
    const email = freshAddress()
    const answer = await visitor.post('/api/auth/register', { email, password: PASSWORD, name: 'Ada Lovelace' })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({ user: { name: 'Ada Lovelace', email } })
    expect((await visitor.get('/api/auth/me')).body.user).toEqual({ name: 'Ada Lovelace', email })
  })

  it('stores the address in lower case, as one account', async () => {
    const visitor = test.visitor()
    const email = freshAddress()
    await visitor.post('/api/auth/register', { email: email.toUpperCase(), password: PASSWORD, name: 'Ada' })
    expect((await visitor.get('/api/auth/me')).body.user.email).toBe(email)
    const again = await test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' })
    expect(again).toMatchObject({ status: 409, body: { error: 'An account with this email address already exists' } })
  })

  it('treats a tagged address as another account than the plain one', async () => {
    for (const email of ['tag@mit.edu', 'tag+1@mit.edu']) {
      const answer = await test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'Tag' })
      expect(answer.status).toBe(201)
    }
  })

  it.each(['x@evil.com', 'x@uni.edu.au', 'x@sub.team.example', 'x@mit.edu.evil.com', '"x"@foo.edu', 'a..b@mit.edu'])(
    'returns 403 for %s and creates nothing',
    async (email) => {
      const answer = await test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'X' })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(await test.db.select().from(accounts).where(eq(accounts.email, email))).toEqual([])
    },
  )

  it.each([
    ['a blank name', { name: '   ' }, { name: 'Name is required' }],
    ['no name', { name: undefined }, { name: 'Name is required' }],
    ['an invisible name', { name: '\u200b\u2060' }, { name: 'Name is required' }],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, { name: 'Name must be at most 100 characters' }],
    ['a name over two lines', { name: 'a\nb' }, { name: 'Name must be on one line' }],
    ['a name with NUL', { name: 'a\0b' }, { name: 'Name contains invalid characters' }],
    ['half a character', { name: 'a\ud800b' }, { name: 'Name contains invalid characters' }],
    ['a password of 5', { password: '12345' }, { password: 'Password must be at least 6 characters long' }],
    ['a list for a password', { password: [] }, { password: 'Password must be text' }],
    ['a password of 257', { password: 'a'.repeat(257) }, { password: 'Password must be at most 256 characters long' }],
  ])('returns 400 with a sentence at the field for %s', async (_what, wrong, fields) => {
    const body = { email: freshAddress(), password: PASSWORD, name: 'Ada', ...wrong }
    expect(await test.visitor().post('/api/auth/register', body)).toMatchObject({ status: 400, body: { fields } })
  })

  it('accepts a password of 6 characters, the minimum', async () => {
    const email = freshAddress()
    const visitor = test.visitor()
    expect((await visitor.post('/api/auth/register', { email, password: 'qz7#kd', name: 'A' })).status).toBe(201)
    expect((await test.visitor().post('/api/auth/login', { email, password: 'qz7#kd' })).status).toBe(200)
  })

  it('ignores fields that only an operator may set', async () => {
    const email = freshAddress()
    const body = {
      email,
      password: PASSWORD,
      name: 'Ada',
      role: 'manager',
      approved: true,
      pendingSince: null,
      emailVerified: true,
      id: 'x',
    }
    expect((await test.visitor().post('/api/auth/register', body)).status).toBe(201)
    const [row] = await test.db.select().from(accounts).where(eq(accounts.email, email))
    expect(row).toMatchObject({ emailVerified: false, role: 'fellow' })
  })
})

describe('POST /auth/login', () => {
  it('returns 200 with name and e-mail', async () => {
    const { email, name } = await makeAccount(test.db)
    const answer = await test.visitor().post('/api/auth/login', { email, password: PASSWORD })
    expect(answer.body).toEqual({ user: { name, email } })
  })

  it('returns the same 401 for a wrong password and an unknown address', async () => {
    const { email } = await makeAccount(test.db)
    const wrong = await test.visitor().post('/api/auth/login', { email, password: 'not the password' })
    const unknown = await test
      .visitor()
      .post('/api/auth/login', { email: freshAddress(), password: 'not the password' })
    expect(wrong).toMatchObject({ status: 401, body: SAME_REFUSAL })
    expect(unknown).toMatchObject({ status: 401, body: SAME_REFUSAL })
  })

  it('counts every character of a long password', async () => {
    const { email } = await makeAccount(test.db, { password: `${'a'.repeat(127)}X` })
    const wrong = await test.visitor().post('/api/auth/login', { email, password: `${'a'.repeat(127)}Y` })
    const right = await test.visitor().post('/api/auth/login', { email, password: `${'a'.repeat(127)}X` })
    expect([wrong.status, right.status]).toEqual([401, 200])
  })

  it('accepts a password in any Unicode composition, with its spaces', async () => {
    const { email } = await makeAccount(test.db, { password: 'p\u00e4ssw\u00f6rd\u{1f98a} ' })
    const composed = await test.visitor().post('/api/auth/login', { email, password: 'pa\u0308sswo\u0308rd\u{1f98a} ' })
    const trimmed = await test.visitor().post('/api/auth/login', { email, password: 'p\u00e4ssw\u00f6rd\u{1f98a}' })
    expect([composed.status, trimmed.status]).toEqual([200, 401])
  })

  it('opens a new session, and ends the previous one', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const before = visitor.cookies.get('session') as string
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    expect(visitor.cookies.get('session')).not.toBe(before)
    const replay = test.visitor()
    replay.cookies.set('session', before)
    expect((await replay.get('/api/auth/me')).status).toBe(401)
  })
})

describe('POST /auth/smart-auth', () => {
  it('signs an existing address in with the action login', async () => {
    const { email, name } = await makeAccount(test.db)
    const answer = await test.visitor().post('/api/auth/smart-auth', { email, password: PASSWORD })
    expect(answer).toMatchObject({ status: 200, body: { action: 'login', user: { name, email } } })
  })

  it('signs a new address with a name up with the action signup', async () => {
    const email = freshAddress()
    const answer = await test.visitor().post('/api/auth/smart-auth', { email, password: PASSWORD, name: 'Ada' })
    expect(answer).toMatchObject({ status: 200, body: { action: 'signup', user: { name: 'Ada', email } } })
  })

  it('returns signup_required for a new address without a name', async () => {
    const answer = await test.visitor().post('/api/auth/smart-auth', { email: freshAddress(), password: PASSWORD })
    expect(answer).toMatchObject({
      status: 404,
      body: { action: 'signup_required', error: 'Please create an account first' },
    })
  })

  it('returns 401 for a wrong password, also with a name', async () => {
    const { email } = await makeAccount(test.db)
    const body = { email, password: 'not the password', name: 'Stranger' }
    expect(await test.visitor().post('/api/auth/smart-auth', body)).toMatchObject({ status: 401, body: SAME_REFUSAL })
  })

  it.each([{ name: 'X' }, {}])('returns 403 for an address that may not join (%j)', async (more) => {
    const body = { email: 'x@evil.com', password: PASSWORD, ...more }
    expect(await test.visitor().post('/api/auth/smart-auth', body)).toMatchObject({ status: 403, body: REFUSED })
  })
})

describe('POST /auth/logout', () => {
  it('returns 204 and ends the session on the server', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const cookie = visitor.cookies.get('session') as string
    expect((await visitor.post('/api/auth/logout')).status).toBe(204)
    expect(visitor.cookies.has('session')).toBe(false)
    const replay = test.visitor()
    replay.cookies.set('session', cookie)
    expect((await replay.get('/api/auth/me')).status).toBe(401)
  })

  it('returns 204 to a caller who is already signed out', async () => {
    expect((await test.visitor().post('/api/auth/logout')).status).toBe(204)
  })
})

describe('GET /auth/me', () => {
  it('returns 401 when signed out', async () => {
    expect(await test.visitor().get('/api/auth/me')).toMatchObject({
      status: 401,
      body: { error: 'Not authenticated' },
    })
  })

  it('returns a null user instead of 401 to a lenient request, as pages make at startup', async () => {
    const visitor = test.visitor()
    const lenient = { headers: { prefer: 'handling=lenient' } }
    expect(await visitor.get('/api/auth/me', lenient)).toMatchObject({ status: 200, body: { user: null } })
    expect(visitor.cookies.has('XSRF-TOKEN')).toBe(true)
    const { email } = await makeAccount(test.db)
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    expect((await visitor.get('/api/auth/me', lenient)).body.user.email).toBe(email)
  })

  it.each(['nonsense', 'a.b', 'token.', '.signature', 'sha256:x.y'])(
    'returns 401 for the cookie %s',
    async (cookie) => {
      const visitor = test.visitor()
      visitor.cookies.set('session', cookie)
      expect((await visitor.get('/api/auth/me')).status).toBe(401)
    },
  )
})

describe('A session', () => {
  const signedIn = async () => {
    const account = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email: account.email, password: PASSWORD })
    return { account, visitor }
  }

  it('has a cookie that scripts cannot read, too long to guess', async () => {
    const { email } = await makeAccount(test.db)
    const answer = await test.visitor().post('/api/auth/login', { email, password: PASSWORD })
    const cookie = [answer.headers['set-cookie']].flat().find((line) => line?.startsWith('session='))
    expect(cookie).toMatch(/^session=[^;]{43,};.*HttpOnly/)
    expect(cookie).toContain('SameSite=Lax')
    expect(cookie).toContain('Path=/')
    expect(cookie).not.toContain('Domain')
    expect(answer.text).not.toContain(cookie?.slice(8, 40))
  })

  it('is stored as a hash only', async () => {
    const { account, visitor } = await signedIn()
    const token = visitor.cookies.get('session')?.split('.')[0] as string
    const [row] = await test.db.select().from(sessions).where(eq(sessions.accountId, account.id))
    expect(row?.token).toMatch(/^sha256:/)
    expect(row?.token).not.toContain(token)
  })

  it('ends when it has been idle too long', async () => {
    const { account, visitor } = await signedIn()
    await test.db
      .update(sessions)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(sessions.accountId, account.id))
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  it('ends at its absolute limit, however much it is used', async () => {
    const { account, visitor } = await signedIn()
    await test.db
      .update(sessions)
      .set({ createdAt: sql`now() - interval '31 days'` })
      .where(eq(sessions.accountId, account.id))
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  it('is renewed together with its cookie while it is used', async () => {
    const { account, visitor } = await signedIn()
    const soon = sql`now() + interval '1 day'`
    await test.db.update(sessions).set({ expiresAt: soon }).where(eq(sessions.accountId, account.id))
    const answer = await visitor.get('/api/auth/me')
    expect([answer.headers['set-cookie']].flat().some((line) => line?.startsWith('session='))).toBe(true)
    const [row] = await test.db.select().from(sessions).where(eq(sessions.accountId, account.id))
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  })

  it('is deleted with its account', async () => {
    const { account, visitor } = await signedIn()
    await test.db.delete(accounts).where(eq(accounts.id, account.id))
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })
})

describe('A password', () => {
  it('is stored with argon2id at the cost that OWASP recommends', async () => {
    const { id } = await makeAccount(test.db, { password: PASSWORD })
    const [row] = await test.db.select().from(credentials).where(eq(credentials.accountId, id))
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('Behind https', () => {
  it('has Secure cookies, with the prefix __Host- unless the specification names them', { tags: 'slow' }, async () => {
    const secure = await startTestApp({ PUBLIC_URL: 'https://sourcebook.example.com' })
    const { email } = await makeAccount(secure.db)
    const visitor = secure.visitor()
    const answer = await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const lines = [answer.headers['set-cookie']].flat() as string[]
    expect(lines.find((line) => line.startsWith('__Host-session='))).toMatch(/Secure/)
    expect(lines.find((line) => line.startsWith('XSRF-TOKEN='))).toMatch(/Secure/)
    expect([...visitor.cookies.keys()].sort()).toEqual([
      'XSRF-TOKEN',
      '__Host-device',
      '__Host-pre-session',
      '__Host-session',
    ])
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
    await secure.close()
  })
})
