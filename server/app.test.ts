import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let fellow: TestClient
beforeAll(async () => {
  test = await startTestApp()
  const { email } = await makeAccount(test.db)
  fellow = test.visitor()
  await fellow.post('/api/auth/login', { email, password: PASSWORD })
})
afterAll(() => test.close())

const sendRaw = (payload: string | Buffer, type = 'application/json') =>
  fellow.raw({
    method: 'POST',
    url: '/api/founders',
    headers: { 'content-type': type, 'x-xsrf-token': fellow.cookies.get('XSRF-TOKEN') as string },
    payload,
  })

const GOOD = JSON.stringify({ name: 'A', linkedIn: 'https://linkedin.com/in/a', notes: 'n' })

describe('A body', () => {
  it.each([
    ['unfinished JSON', '{"name":'],
    ['text behind the JSON', `${GOOD} x`],
    ['a byte order mark', `\ufeff${GOOD}`],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    ['a key that reaches for the prototype', '{"__proto__":{"admin":1},"name":"A"}'],
    ['a constructor that reaches for the prototype', '{"constructor":{"prototype":{"x":1}}}'],
    ['100,000 nested lists', '['.repeat(100_000)],
  ])('of %s is 400', async (_what, payload) => {
    expect(await sendRaw(payload)).toMatchObject({ status: 400, body: { error: 'The request body is not valid JSON' } })
  })

  it('of 50,000 nested lists, which is valid JSON, is 400 too', async () => {
    expect((await sendRaw('['.repeat(50_000) + ']'.repeat(50_000))).status).toBe(400)
  })

  it('of more than 128 KB is 413', async () => {
    expect(await sendRaw(`{"name":"${'a'.repeat(140_000)}"}`)).toMatchObject({
      status: 413,
      body: { error: 'This request is too large' },
    })
  })

  it('with another spelling of its content type is validated too', async () => {
    for (const type of ['Application/JSON; charset=utf-8', 'application/json ;charset=utf-8']) {
      expect((await sendRaw('{"rating":99}', type)).status).toBe(400)
    }
  })

  it.each(['application/jsonx', 'text/json', 'application/json+x', 'gzip'])('of the type %s is 415', async (type) => {
    expect((await sendRaw(GOOD, type)).status).toBe(415)
  })

  it('does not change any prototype', async () => {
    await sendRaw('{"__proto__":{"x":1}}')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect((await fellow.get('/api/auth/me')).body.user).not.toHaveProperty('x')
  })
})

describe('An unknown API address', () => {
  it.each(['/api', '/api/', '/api/x', '/api//founders', '/api/founders/', '/api/auth/x', '/api/founders/x/y/z'])(
    '%s returns 404 in the format of failures',
    async (url) => {
      const answer = await fellow.get(url)
      expect(answer.status).toBe(404)
      expect(answer.body.error).toBeTypeOf('string')
    },
  )

  it('returns 404 also to a change without a token', async () => {
    expect((await test.visitor().raw({ method: 'POST', url: '/api/x', payload: {} })).status).toBe(404)
  })

  it.each(['/api/founders/%ff', '/api/%'])('%s is refused in the same format', async (url) => {
    const answer = await fellow.get(url)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body.error).toBeTypeOf('string')
  })

  it('GET on a path that has only POST, PUT or DELETE is 404', async () => {
    for (const url of ['/api/auth/logout', '/api/auth/login', '/api/founders/x/refresh']) {
      expect((await fellow.get(url)).status).toBe(404)
    }
    expect((await fellow.get('/api/auth/me')).status).toBe(200)
  })
})

describe('A path that tries to reach files', () => {
  /** Sends the path unchanged. Other clients would resolve the dots first. */
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const { port } = test.app.server.address() as AddressInfo
      get({ port, path, headers: { connection: 'close' } }, ({ statusCode }) => resolve(statusCode)).on('error', reject)
    })
  beforeAll(() => test.app.listen({ port: 0 }))

  it.each([
    '/%2e%2e/%2e%2e/etc/passwd',
    '/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/..%5cserver',
    '/.git/config',
    '/a/.b/c',
    '/server/main.js',
    '/..%2fserver%2fmain.js',
  ])('%s returns 404', async (path) => {
    expect(await statusOf(path)).toBe(404)
  })
})

describe('The API description', () => {
  it('is public, and lists every call with its schemas', { tags: 'slow' }, async () => {
    const answer = await test.visitor().get('/api/openapi.json')
    expect(answer.status).toBe(200)
    const calls = Object.entries(answer.body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(calls.sort()).toEqual([
      'DELETE /api/account/sessions',
      'DELETE /api/account/sessions/{id}',
      'DELETE /api/account/tokens/{id}',
      'DELETE /api/companies/{id}',
      'DELETE /api/duplicates/dismiss',
      'DELETE /api/founders/{id}',
      'DELETE /api/founders/{id}/companies/{companyId}',
      'DELETE /api/imports/{id}',
      'DELETE /api/notes/company/{id}/{noteId}',
      'DELETE /api/notes/founder/{id}/{noteId}',
      'DELETE /api/programme/channels/{id}',
      'DELETE /api/programme/invitations/{id}',
      'DELETE /api/programme/webhooks/{id}',
      'DELETE /api/records/{id}/finders',
      'DELETE /api/records/{id}/opinion',
      'DELETE /api/searches/{id}',
      'DELETE /api/tags/{id}',
      'GET /api/account',
      'GET /api/account/digest',
      'GET /api/account/notices',
      'GET /api/account/tokens',
      'GET /api/auth/me',
      'GET /api/changes',
      'GET /api/companies',
      'GET /api/companies/export',
      'GET /api/companies/similar',
      'GET /api/companies/values',
      'GET /api/companies/{id}',
      'GET /api/companies/{id}/founders',
      'GET /api/companies/{id}/founders/suggested',
      'GET /api/companies/{id}/history',
      'GET /api/dashboard',
      'GET /api/duplicates',
      'GET /api/events',
      'GET /api/export-rights',
      'GET /api/feed',
      'GET /api/fellows',
      'GET /api/figures/mine',
      'GET /api/figures/mine.csv',
      'GET /api/founders',
      'GET /api/founders/export',
      'GET /api/founders/similar',
      'GET /api/founders/{id}',
      'GET /api/founders/{id}/companies',
      'GET /api/founders/{id}/companies/suggested',
      'GET /api/founders/{id}/history',
      'GET /api/founders/{id}/picture',
      'GET /api/imports',
      'GET /api/imports/{id}',
      'GET /api/imports/{id}/look-ups',
      'GET /api/imports/{id}/refused.csv',
      'GET /api/imports/{id}/refused.jsonl',
      'GET /api/imports/{id}/rows',
      'GET /api/inbox',
      'GET /api/inbox/count',
      'GET /api/nav-counts',
      'GET /api/next-steps',
      'GET /api/next-steps.ics',
      'GET /api/next-steps/counts',
      'GET /api/notes/company/{id}',
      'GET /api/notes/founder/{id}',
      'GET /api/notes/my-notes',
      'GET /api/passing-reasons',
      'GET /api/pipeline',
      'GET /api/pipeline-rights',
      'GET /api/programme/channels',
      'GET /api/programme/deleted',
      'GET /api/programme/figures',
      'GET /api/programme/figures.csv',
      'GET /api/programme/history',
      'GET /api/programme/history/export',
      'GET /api/programme/invitations',
      'GET /api/programme/people',
      'GET /api/programme/people/leave',
      'GET /api/programme/privacy/uninformed',
      'GET /api/programme/privacy/uninformed/count',
      'GET /api/programme/privacy/uninformed/export',
      'GET /api/programme/privacy/uninformed/{id}/letter',
      'GET /api/programme/quality',
      'GET /api/programme/sending',
      'GET /api/programme/sending/mails',
      'GET /api/programme/sign-up',
      'GET /api/programme/tokens',
      'GET /api/programme/webhooks',
      'GET /api/programme/week/{week}',
      'GET /api/programme/week/{week}.csv',
      'GET /api/records/{id}/finders',
      'GET /api/records/{id}/follow',
      'GET /api/records/{id}/merges',
      'GET /api/records/{id}/next-step.ics',
      'GET /api/records/{id}/opinions',
      'GET /api/records/{id}/pipeline',
      'GET /api/records/{id}/stays',
      'GET /api/rights',
      'GET /api/searches',
      'GET /api/searches/{id}/new',
      'GET /api/since',
      'GET /api/stages',
      'GET /api/tags',
      'PATCH /api/account',
      'PATCH /api/companies/{id}',
      'PATCH /api/founders/{id}',
      'PATCH /api/imports/{id}',
      'PATCH /api/programme/channels/{id}',
      'PATCH /api/programme/people/{id}',
      'PATCH /api/programme/webhooks/{id}',
      'PATCH /api/searches/{id}',
      'PATCH /api/stages/{id}',
      'PATCH /api/tags/{id}',
      'POST /api/account/address',
      'POST /api/account/address/confirm',
      'POST /api/account/confirm',
      'POST /api/account/notices/seen',
      'POST /api/account/password',
      'POST /api/account/tokens',
      'POST /api/account/two-factor',
      'POST /api/account/two-factor/confirm',
      'POST /api/account/two-factor/off',
      'POST /api/account/two-factor/recovery-codes',
      'POST /api/auth/check-user',
      'POST /api/auth/login',
      'POST /api/auth/logout',
      'POST /api/auth/register',
      'POST /api/auth/reset',
      'POST /api/auth/reset/confirm',
      'POST /api/auth/smart-auth',
      'POST /api/auth/two-factor',
      'POST /api/auth/verify',
      'POST /api/auth/verify/resend',
      'POST /api/companies',
      'POST /api/companies/{id}/enrich',
      'POST /api/companies/{id}/refresh',
      'POST /api/duplicates/dismiss',
      'POST /api/founders',
      'POST /api/founders/{id}/enrich',
      'POST /api/founders/{id}/refresh',
      'POST /api/imports',
      'POST /api/imports/{id}/add',
      'POST /api/imports/{id}/cancel',
      'POST /api/imports/{id}/look-ups',
      'POST /api/imports/{id}/revert',
      'POST /api/imports/{id}/run',
      'POST /api/inbox/{mark}',
      'POST /api/merges/{id}/undo',
      'POST /api/notes/company/{id}',
      'POST /api/notes/founder/{id}',
      'POST /api/programme/allow',
      'POST /api/programme/channels',
      'POST /api/programme/channels/{id}/test',
      'POST /api/programme/deleted/{recordId}/restore',
      'POST /api/programme/invitations',
      'POST /api/programme/people/leave',
      'POST /api/programme/people/{id}/approve',
      'POST /api/programme/people/{id}/demote',
      'POST /api/programme/people/{id}/disable',
      'POST /api/programme/people/{id}/enable',
      'POST /api/programme/people/{id}/end-sessions',
      'POST /api/programme/people/{id}/end-tokens',
      'POST /api/programme/people/{id}/erase',
      'POST /api/programme/people/{id}/make-manager',
      'POST /api/programme/people/{id}/reset-password',
      'POST /api/programme/people/{id}/reset-two-factor',
      'POST /api/programme/privacy/erase',
      'POST /api/programme/privacy/report',
      'POST /api/programme/privacy/search',
      'POST /api/programme/webhooks',
      'POST /api/programme/webhooks/{id}/test',
      'POST /api/records/bulk',
      'POST /api/records/bulk/{id}/undo',
      'POST /api/records/merge',
      'POST /api/records/merge/preview',
      'POST /api/records/{id}/finders',
      'POST /api/records/{id}/opinions/ask',
      'POST /api/records/{id}/opinions/reveal',
      'POST /api/searches',
      'POST /api/searches/{id}/seen',
      'POST /api/since/{key}/seen',
      'POST /api/stages',
      'POST /api/tags',
      'PUT /api/account/digest',
      'PUT /api/companies/{id}',
      'PUT /api/founders/{id}',
      'PUT /api/founders/{id}/companies/{companyId}',
      'PUT /api/passing-reasons',
      'PUT /api/programme/privacy/informed',
      'PUT /api/programme/sending',
      'PUT /api/programme/sign-up',
      'PUT /api/programme/tokens',
      'PUT /api/records/{id}/follow',
      'PUT /api/records/{id}/opinion',
      'PUT /api/records/{id}/pipeline',
      'PUT /api/records/{id}/tags',
      'PUT /api/searches/{id}/watch',
    ])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const body = answer.body.paths['/api/founders'].post.requestBody.content['application/json'].schema
    expect(body.required).toEqual(['name', 'linkedIn', 'notes'])
    expect(body.properties.name.maxLength).toBe(200)
    expect(body.properties.rating).toMatchObject({ minimum: 1, maximum: 10, default: 5 })
  })

  it('is built once, whatever the number of requests', async () => {
    const again = await test.startAgain()
    const build = vi.spyOn(again, 'swagger')
    const texts = new Set<string>()
    for (let asked = 0; asked < 3; asked += 1) texts.add((await again.inject('/api/openapi.json')).body)
    expect([build.mock.calls.length, texts.size]).toEqual([1, 1])
    await again.close()
  })
})

describe('Without its database', () => {
  /** The responses to a signed-in person after the database has stopped. */
  const askBroken = async (path: string) => {
    const broken = await startTestApp()
    const visitor = broken.visitor()
    const { email } = await makeAccount(broken.db)
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    await broken.closeDatabase()
    const answer = await visitor.get(path)
    await broken.app.close()
    return answer
  }

  it('the page is still served', { tags: 'slow' }, async () => {
    const { status, text } = await askBroken('/founders')
    expect(status).toBe(200)
    expect(text).toContain('<meta name="account" content="" />')
  })

  it('a call is 503 or 500 with one sentence, and no internal details', { tags: 'slow' }, async () => {
    const { status, body, headers } = await askBroken('/api/founders')
    expect(status).toBeGreaterThanOrEqual(500)
    expect(body).toEqual({
      requestId: headers['x-request-id'],
      error: expect.stringMatching(/Try again in a moment\.$/),
    })
  })
})
