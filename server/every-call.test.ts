import { like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCsrfToken } from '#server/auth/sessions/csrf.ts'
import { storedToken } from '#server/auth/sessions/session.ts'
import { deniedRequests, records } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { rights } from '#server/rights.ts'
import {
  addressOf,
  bodyOf,
  type Call,
  everyCall,
  isChange,
  isOfCompany,
  isPublic,
  makeWorld,
} from '#server/test/calls.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, TestClient } from '#server/test/test-app.ts'

// Rules for all calls of the API, including future ones: each test goes through the product's own description.

let test: TestApp
let calls: Call[]
beforeAll(async () => {
  test = await startTestApp()
  calls = await everyCall(test.visitor())
})
afterAll(() => test.close())

const signedIn = async (overrides: Parameters<typeof makeAccount>[1] = {}) => {
  const account = await makeAccount(test.db, overrides)
  const client = test.visitor()
  await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
  return { account, client }
}

const send = (client: TestClient, call: Call, url: string, headers: Record<string, string> = {}, body: object = {}) =>
  client.raw({ method: call.method, url, headers, ...(isChange(call) && { payload: body }) })

const eachInTurn = async (chosen: Call[], check: (call: Call) => Promise<void>) => {
  expect(chosen.length).toBeGreaterThan(0)
  for (const call of chosen) await check(call)
}

describe('Signed out', () => {
  it('every call except signing in returns 401 as JSON, and reveals nothing', async () => {
    const { account } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    const visitor = test.visitor()
    await visitor.get('/api/auth/me')
    await eachInTurn(
      calls.filter((call) => !isPublic(call)),
      async (call) => {
        const answer = await send(visitor, call, about(call), {
          'x-xsrf-token': visitor.cookies.get('XSRF-TOKEN') ?? '',
        })
        expect([call.path, answer.status, answer.body]).toEqual([call.path, 401, { error: 'Not authenticated' }])
      },
    )
  })

  it.each(['/docs', '/metrics', '/api/docs', '/api/metrics', '/api/export', '/api/auth/list-sessions', '/api/auth/ok'])(
    '%s does not exist, or is the page',
    async (url) => {
      const answer = await test.visitor().get(url)
      expect([answer.status, answer.headers['content-type']]).not.toEqual([200, 'application/json; charset=utf-8'])
      expect([200, 404]).toContain(answer.status)
    },
  )
})

describe('A change without its anti-forgery token', () => {
  it.each([
    ['none is sent', () => ({})],
    ['another one than in the cookie', () => ({ 'x-xsrf-token': 'other' })],
    ['one without a valid signature', (token: string) => ({ 'x-xsrf-token': `${token.slice(0, -1)}_` })],
  ])('is 403 for every call when %s', async (_what, headers) => {
    const { account, client } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    await eachInTurn(calls.filter(isChange), async (call) => {
      const answer = await send(client, call, about(call), headers(client.cookies.get('XSRF-TOKEN') as string))
      expect([call.path, answer.status, answer.body.code]).toEqual([call.path, 403, 'forgery'])
    })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  it.each([
    ['unsigned', () => 'abc'],
    ['unsigned, but well-formed', () => `${'0'.repeat(64)}.${'0'.repeat(32)}`],
    [
      'another secret signed for this very session',
      (session: string) => createCsrfToken('a secret that this server does not have', storedToken(session)),
    ],
  ])('is 403 with a pair of cookie and header that %s', { tags: 'slow' }, async (_what, forge) => {
    const { account, client } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    const token = forge(client.cookies.get('session')?.split('.')[0] as string)
    await eachInTurn(calls.filter(isChange), async (call) => {
      client.cookies.set('XSRF-TOKEN', token)
      const answer = await send(client, call, about(call), { 'x-xsrf-token': token })
      expect([call.path, answer.status, answer.body?.code]).toEqual([call.path, 403, 'forgery'])
    })
  })
})

describe('A change that is denied', () => {
  it('is recorded with the action that its route declares', { tags: 'slow' }, async () => {
    const { account } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    const changes = calls.filter(isChange)
    // A server records 100 changes of visitors a minute.
    const servers = [await test.startAgain(), await test.startAgain()]
    for (const [index, call] of changes.entries()) {
      const remoteAddress = `10.7.0.${index}`
      const visitor = new TestClient(servers[index % servers.length] as App)
      await visitor.raw({ method: call.method, url: about(call), payload: {}, remoteAddress })
    }
    for (const server of servers) await server.close()
    const denied = await test.db.select().from(deniedRequests).where(like(deniedRequests.ip, '10.7.0.%'))
    expect(denied.length).toBe(changes.length)
    expect(denied.filter(({ action }) => action === 'request')).toEqual([])
  })
})

describe('A change of what belongs to all fellows', () => {
  it('is refused to those who may only read, as every such call declares', () => {
    const { why } = rights.change
    const undeclared = calls
      .filter((call) => isChange(call) && !call.operation.responses[403]?.description.includes(why))
      .map(({ path }) => path)
    const isOwn = (path: string) =>
      /^\/api\/((auth|account|since|inbox)\/|records\/{id}\/follow$)/.test(path) || path === '/api/account'
    expect(undeclared.filter((path) => !isOwn(path))).toEqual([])
    expect(undeclared).toContain('/api/account/password')
  })
})

describe('A safe method', () => {
  it.each(['HEAD', 'OPTIONS', 'GET'] as const)(
    'changes nothing at the path of a change: %s',
    { tags: 'slow' },
    async (method) => {
      const { account, client } = await signedIn({ role: 'manager' })
      const { founder, company, about } = await makeWorld(test.db, account)
      const overrides = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE', 'x-http-method': 'DELETE' }
      await eachInTurn(calls.filter(isChange), async (call) => {
        const isRead = calls.some(({ path, method }) => method === 'GET' && path === call.path)
        const { status, headers } = await client.raw({
          method,
          url: about({ ...call, method: 'GET' }),
          headers: overrides,
        })
        expect([call.path, status]).toEqual([call.path, isRead && method !== 'OPTIONS' ? 200 : 404])
        expect(headers['access-control-allow-origin']).toBeUndefined()
      })
      expect((await client.get(`/api/founders/${founder.id}`)).body).toMatchObject({ version: 1, notesCount: 1 })
      expect((await client.get(`/api/companies/${company.id}`)).body).toMatchObject({ version: 1, notesCount: 1 })
    },
  )
})

describe('The content of a response', () => {
  it('is not cacheable', { tags: 'slow' }, async () => {
    const { account, client } = await signedIn({ role: 'manager' })
    const { about } = await makeWorld(test.db, account)
    const reads = calls.filter((call) => !isChange(call) && !/events|picture|jsonl/.test(call.path))
    await eachInTurn(reads, async (call) => {
      const answer = await send(client, call, about(call))
      expect([call.path, answer.status, answer.headers['cache-control']]).toEqual([call.path, 200, 'no-store'])
    })
  })

  it('contains no sign-in data, and only name and e-mail of a person', async () => {
    const { account, client } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    const input = { name: 'A', notes: 'n', content: 'c', linkedIn: 'https://linkedin.com/in/a' }
    const body = { ...input, email: account.email, password: PASSWORD }
    const order = ['GET', 'POST', 'PUT', 'DELETE']
    // The calls of the account return its own address and name; their tests check what they must not reveal.
    const chosen = calls
      .filter(({ path }) => !/events|picture|logout|account|auth\/(reset|two-factor|verify)/.test(path))
      .sort((one, other) => order.indexOf(one.method) - order.indexOf(other.method))
    await eachInTurn(chosen, async (call) => {
      const { text } = await client.call(call.method, about(call), isChange(call) ? { body } : {})
      expect(text).not.toMatch(/argon2|\$m=|sha256:|emailVerified|providerAccount|"(password|hash|token|secret)":/i)
      expect(text).not.toContain(client.cookies.get('session')?.split('.')[0])
      expect(text).not.toContain(account.id)
    })
    const me = await client.get('/api/auth/me')
    const ids = { account: expect.any(String), signIn: expect.any(String) }
    expect(me.body).toEqual({ user: { name: account.name, email: account.email }, ...ids })
  })
})

describe('Invalid text', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['half a character', 'a\ud800b'],
  ])('is refused in every field of every call: %s', async (_what, text) => {
    const { account, client } = await signedIn()
    const { about } = await makeWorld(test.db, account)
    const fields = calls.flatMap((call) => call.bodyFields.map((field) => ({ call, field })))
    expect(fields.length).toBeGreaterThan(20)
    for (const { call, field } of fields) {
      const answer = await client.call(call.method, about(call), { body: { [field]: text } })
      expect([call.path, field, answer.status]).toEqual([call.path, field, 400])
      expect(answer.body.fields).toHaveProperty(field)
    }
  })

  it('is refused in paths and in queries', { tags: 'slow' }, async () => {
    const { client } = await signedIn()
    for (const call of calls.filter(({ path }) => path.includes('{id}'))) {
      for (const id of ['%00', '..%2f1', 'a%0d%0ab', "'--", '%ed%a0%80']) {
        const { status } = await client.call(call.method, addressOf(call, id), {
          body: isChange(call) ? {} : undefined,
        })
        expect([call.path, id, status >= 400 && status < 500]).toEqual([call.path, id, true])
      }
    }
    for (const query of ['search=%00', 'cursor=%00', 'linkedIn=%00', 'limit=%00', 'mine=%00']) {
      expect([query, (await client.get(`/api/founders?${query}`)).status]).toEqual([query, 400])
    }
  })
})

describe('A query parameter that a call does not have', () => {
  it('is 400 at its name, and nothing is done', { tags: 'slow' }, async () => {
    const { account, client } = await signedIn({ role: 'manager' })
    const { about, founder } = await makeWorld(test.db, account)
    const before = await test.db.select().from(records)
    await eachInTurn(calls, async (call) => {
      const url = `${about(call)}${about(call).includes('?') ? '&' : '?'}colour=9`
      const answer = await client.raw({
        method: call.method,
        url,
        headers: {
          'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
          ...(isChange(call) && {
            'content-type': call.path === '/api/imports' ? 'application/octet-stream' : 'application/json',
          }),
        },
        ...(isChange(call) && { payload: call.path === '/api/imports' ? 'name\nAda' : bodyOf(call) }),
      })
      const sentence = 'There is no parameter "colour"'
      expect([call.method, call.path, answer.status, answer.body]).toEqual([
        ...[call.method, call.path, 400],
        { error: sentence, fields: { colour: sentence } },
      ])
    })
    expect(await test.db.select().from(records)).toEqual(before)
    expect((await client.get(`/api/founders/${founder.id}?colour=9`, {})).status).toBe(400)
    expect((await test.visitor().get('/api/openapi.json?v=2')).status).toBe(400)
  })

  it('is ignored where an issuer of single sign-on sends people back', async () => {
    const answer = await test.visitor().get('/api/auth/sso/google/callback?code=1&session_state=2')
    expect([answer.status, answer.body]).toEqual([404, { error: 'This sign-in method is not set up' }])
  })
})

describe('An id of the other kind', () => {
  it('is not found', { tags: 'slow' }, async () => {
    const { account, client } = await signedIn({ role: 'manager' })
    const { founder, company } = await makeWorld(test.db, account)
    for (const call of calls.filter(({ path }) => path.includes('{id}') && !path.startsWith('/api/records/'))) {
      const other = isOfCompany(call) ? founder.id : company.id
      const more = { isWatched: true, until: '2026-01-01T00:00:00.000Z', isConfirmed: true }
      const body = isChange(call) ? { name: 'A', content: 'x', rating: 7, version: 1, rows: 'all', ...more } : undefined
      const { status } = await client.call(call.method, addressOf(call, other), { body })
      expect([call.path, status]).toEqual([call.path, 404])
    }
    expect((await client.get(`/api/founders/${founder.id}`)).body).toMatchObject({ version: 1, notesCount: 1 })
  })
})
