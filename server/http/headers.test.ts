import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { observe } from '#server/http/test/observatory.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({ PUBLIC_URL: 'https://sourcebook.example.com' })
  test.app.get('/api/fault', () => {
    throw new Error('A fault of ours')
  })
  await test.app.listen({ port: 0 })
})
afterAll(() => test.close())

type Answered = { status: number | undefined; headers: Record<string, string | string[] | undefined> }

/** Uses a real connection, because replacements of a route, such as for a malformed URL, are not reached otherwise. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<Answered>((resolve, reject) => {
    const { port } = test.app.server.address() as AddressInfo
    get({ port, path, headers: { connection: 'close', ...headers } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, headers: answer.headers })
    }).on('error', reject)
  })

const ADDRESSES = [
  ['the page', '/', 200],
  ['the sign-in page', '/auth', 200],
  ['a call', '/api/auth/me', 401],
  ['a call that is none', '/api/x', 404],
  ['a fault', '/api/fault', 500],
  ['a file that is none', '/nothing.css', 404],
  ['an address that cannot be read', '/api/%', 400],
  ['the description of the API', '/api/openapi.json', 200],
  ['health', '/healthz', 200],
] as const

describe('The headers of every response', () => {
  it.each(ADDRESSES)('score 100 or more at the HTTP Observatory: %s', async (_what, path, status) => {
    const answer = await ask(path)
    expect(answer.status).toBe(status)
    const { score, points } = observe(answer.headers)
    expect(Object.entries(points).filter(([, point]) => point < 0)).toEqual([])
    expect(score).toBeGreaterThanOrEqual(100)
  })

  it.each(ADDRESSES)('prevent scripts, framing, submissions and leaks to other sites: %s', async (_what, path) => {
    const { headers } = await ask(path)
    const policy = String(headers['content-security-policy']).split(';')
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
    ]) {
      expect(policy).toContain(directive)
    }
    expect(policy.join()).not.toMatch(/unsafe|http:|https:|\*/)
    expect(headers).toMatchObject({
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  })

  it('contain a nonce only for the styles of the page', async () => {
    const styles = async (path: string) =>
      /style-src ([^;]+)/.exec(String((await ask(path)).headers['content-security-policy']))?.[1]
    expect(await styles('/auth')).toMatch(/^'self' 'nonce-[A-Za-z0-9+/]{22}=='$/)
    expect(await styles('/auth')).not.toBe(await styles('/auth'))
    expect(await styles('/api/auth/me')).toBe("'none'")
  })

  it.each(['https://evil.com', 'null', 'https://sourcebook.example.com.evil.com', 'http://sourcebook.example.com'])(
    'give %s no permission to read, not even in a preflight',
    async (origin) => {
      for (const path of ['/', '/api/auth/me']) {
        for (const method of ['GET', 'OPTIONS'] as const) {
          const headers = { origin, 'access-control-request-method': 'PUT' }
          const answer = await test.visitor().raw({ method, url: path, headers })
          expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        }
      }
    },
  )

  it('are also in a 304, and in the 404 of a picture or file', async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    const { status, headers } = await visitor.get('/api/founders/01900000-0000-7000-8000-000000000000/picture')
    expect(status).toBe(404)
    expect(observe(headers).score).toBeGreaterThanOrEqual(100)
  })
})

describe('Over plain http', () => {
  it('no header requires https, which a browser would remember for a year', async () => {
    const plain = await startTestApp({ PUBLIC_URL: 'http://localhost:3000' })
    expect((await plain.visitor().get('/api/auth/me')).headers['strict-transport-security']).toBeUndefined()
    await plain.close()
  })
})
