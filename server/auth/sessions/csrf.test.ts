import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const signedIn = async (): Promise<TestClient> => {
  const { email } = await makeAccount(test.db)
  const visitor = test.visitor()
  await visitor.post('/api/auth/login', { email, password: PASSWORD })
  return visitor
}

const FOUNDER = { name: 'Grace', linkedIn: 'https://linkedin.com/in/grace', notes: 'Met.' }
const FORGED = { status: 403, body: { code: 'forgery' } }

describe('The anti-forgery token', () => {
  it('comes with the first response to a new client, the 401 of GET /auth/me', async () => {
    const visitor = test.visitor()
    const answer = await visitor.get('/api/auth/me')
    const lines = [answer.headers['set-cookie']].flat() as string[]
    expect(lines.find((line) => line.startsWith('XSRF-TOKEN='))).not.toContain('HttpOnly')
    expect(lines.find((line) => line.startsWith('pre-session='))).toContain('HttpOnly')
  })

  it('comes with any response to a client without one, a 404 and a 413 too', async () => {
    const unknown = test.visitor()
    await unknown.get('/api/nothing-here')
    expect(unknown.cookies.has('XSRF-TOKEN')).toBe(true)
    const large = test.visitor()
    const answer = await large.raw({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ email: 'x'.repeat(200_000) }),
    })
    expect(answer.status).toBe(413)
    expect(large.cookies.has('XSRF-TOKEN')).toBe(true)
  })

  it('does not change while it is valid', async () => {
    const visitor = await signedIn()
    const answer = await visitor.get('/api/auth/me')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('is new after sign-in, sign-up and sign-out', async () => {
    const visitor = test.visitor()
    const seen = new Set<string | undefined>()
    const note = () => seen.add(visitor.cookies.get('XSRF-TOKEN'))
    await visitor.get('/api/auth/me')
    note()
    await visitor.post('/api/auth/register', { email: 'token@mit.edu', password: PASSWORD, name: 'T' })
    note()
    await visitor.post('/api/auth/login', { email: 'token@mit.edu', password: PASSWORD })
    note()
    await visitor.post('/api/auth/logout')
    note()
    expect(seen.size).toBe(4)
  })

  it.each([
    ['POST', '/api/auth/check-user'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/smart-auth'],
    ['POST', '/api/auth/logout'],
    ['POST', '/api/founders'],
    ['PUT', '/api/founders/:id'],
    ['DELETE', '/api/founders/:id'],
    ['POST', '/api/founders/:id/refresh'],
    ['POST', '/api/founders/:id/enrich'],
  ] as const)('is required by %s %s: a missing, different or unsigned one is 403', async (method, path) => {
    const visitor = await signedIn()
    const url = path.replace(':id', (await makeFounder(test.db)).id)
    const send = (headers: Record<string, string>) => visitor.raw({ method, url, headers, payload: {} })
    expect(await send({})).toMatchObject(FORGED)
    expect(await send({ 'x-xsrf-token': 'other' })).toMatchObject(FORGED)
    const token = visitor.cookies.get('XSRF-TOKEN') as string
    expect(await send({ 'x-xsrf-token': `${token}0` })).toMatchObject(FORGED)
    const unsigned = test.visitor()
    unsigned.cookies.set('session', visitor.cookies.get('session') as string)
    unsigned.cookies.set('XSRF-TOKEN', 'abc')
    expect(await unsigned.raw({ method, url, headers: { 'x-xsrf-token': 'abc' }, payload: {} })).toMatchObject(FORGED)
  })

  it('of one session is invalid in another', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    mine.cookies.set('XSRF-TOKEN', other.cookies.get('XSRF-TOKEN') as string)
    expect(await mine.post('/api/founders', FOUNDER)).toMatchObject(FORGED)
  })

  it('from before sign-in is invalid after it', async () => {
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    const before = visitor.cookies.get('XSRF-TOKEN') as string
    const { email } = await makeAccount(test.db)
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    visitor.cookies.set('XSRF-TOKEN', before)
    expect(await visitor.post('/api/founders', FOUNDER)).toMatchObject(FORGED)
  })

  it('is replaced by a call of /auth/me, after which the same call succeeds', async () => {
    const visitor = await signedIn()
    visitor.cookies.set('XSRF-TOKEN', 'stale')
    expect(await visitor.post('/api/founders', FOUNDER)).toMatchObject(FORGED)
    await visitor.get('/api/auth/me')
    expect((await visitor.post('/api/founders', FOUNDER)).status).toBe(201)
  })
})

describe('A change requested by another site', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('is refused (%j)', async (headers) => {
    const visitor = await signedIn()
    expect(await visitor.post('/api/founders', FOUNDER, { headers })).toMatchObject(FORGED)
  })

  it.each([{ origin: 'http://localhost:80' }, { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }])(
    "from the product's own address is served (%j)",
    async (headers) => {
      const visitor = await signedIn()
      expect((await visitor.post('/api/founders', FOUNDER, { headers })).status).toBe(201)
    },
  )

  it.each(['https://evil.com', 'null', 'http://localhost.evil.com'])(
    'gets no permission to read for %s',
    async (origin) => {
      const answer = await test.visitor().get('/api/auth/me', { headers: { origin } })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s is 415 and writes nothing',
    async (type) => {
      const visitor = await signedIn()
      const headers = { 'content-type': type, 'x-xsrf-token': visitor.cookies.get('XSRF-TOKEN') as string }
      const answer = await visitor.raw({
        method: 'POST',
        url: '/api/founders',
        headers,
        payload: JSON.stringify(FOUNDER),
      })
      expect(answer).toMatchObject({ status: 415, body: { error: expect.stringContaining('JSON') } })
    },
  )
})

describe('Checks run in order', () => {
  it('unreadable JSON before forgery, forgery before 401, 401 before 400, 400 before 404', async () => {
    const visitor = test.visitor()
    const json = { 'content-type': 'application/json' }
    const unreadable = await visitor.raw({ method: 'POST', url: '/api/founders', headers: json, payload: '{' })
    expect(unreadable.status).toBe(400)
    expect((await visitor.raw({ method: 'POST', url: '/api/founders', payload: {} })).status).toBe(403)
    expect((await visitor.post('/api/founders', {})).status).toBe(401)
    const fellow = await signedIn()
    const nowhere = '/api/founders/01900000-0000-7000-8000-000000000000'
    expect((await fellow.put(nowhere, { rating: 99 })).status).toBe(400)
    expect((await fellow.put(nowhere, { rating: 9 })).status).toBe(404)
  })
})
