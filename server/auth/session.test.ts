import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('A session', () => {
  it('is a new one at sign-in, whatever cookie came with it', async () => {
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

  it('that was signed out of is nothing to any call, reading, changing or listening', async () => {
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
    // The token was bound to the session, and has ended with it.
    expect((await replay.put(`/api/founders/${id}`, { rating: 1 })).status).toBe(403)
    await replay.get('/api/auth/me')
    expect((await replay.put(`/api/founders/${id}`, { rating: 1 })).status).toBe(401)
  })
})

describe('Signing out', () => {
  it('expires the cookie of the session, and leaves the rest of the site alone', async () => {
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
  it('no cookie leaves this very host, and none but the token is for scripts', async () => {
    const secure = await startTestApp({ PUBLIC_URL: 'https://sourcebook.example.com' })
    const { email } = await makeAccount(secure.db)
    const visitor = secure.visitor()
    const first = await visitor.get('/api/auth/me')
    const entry = await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const lines = [first.headers['set-cookie'], entry.headers['set-cookie']].flat() as string[]
    expect(lines.map((line) => line.split('=')[0]).sort()).toEqual([
      'XSRF-TOKEN',
      'XSRF-TOKEN',
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
