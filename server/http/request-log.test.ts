import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createLog } from '../log.ts'

const NAME = /^[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}$/

describe('The id of a request', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp()
  })
  afterAll(() => test.close())

  it.each(['/api/auth/me', '/api/nowhere', '/healthz', '/', '/nowhere.js', '/api/%ff', '/api/openapi.json'])(
    'is in the response of %s',
    async (url) => {
      expect((await test.visitor().get(url)).headers['x-request-id']).toMatch(NAME)
    },
  )

  it('is unique for every request, whatever the caller sends', async () => {
    const ask = () => test.visitor().get('/healthz', { headers: { 'x-request-id': 'of-the-caller' } })
    const names = [await ask(), await ask()].map(({ headers }) => headers['x-request-id'])
    expect(names[0]).not.toBe(names[1])
    for (const name of names) expect(name).toMatch(NAME)
  })

  describe('behind a trusted proxy', () => {
    let behind: TestApp
    beforeAll(async () => {
      behind = await startTestApp({ TRUST_PROXY: '10.0.0.0/8' })
    })
    afterAll(() => behind.close())
    const nameFor = async (given: string, ip: string) =>
      (await behind.visitor().get('/healthz', { ip, headers: { 'x-request-id': given } })).headers['x-request-id']

    it('is the one that the proxy sent', async () => {
      expect(await nameFor('7f3a_proxy.1-2', '10.1.2.3')).toBe('7f3a_proxy.1-2')
    })

    it('is not one that an untrusted client sent', async () => {
      expect(await nameFor('7f3a_proxy.1-2', '192.0.2.1')).toMatch(NAME)
    })

    it.each(['short', 'with spaces in it', '"quoted-name"', 'x'.repeat(65), '{"a":"bcdefgh"}'])(
      'is generated when the proxy sends %j',
      async (given) => {
        expect(await nameFor(given, '10.1.2.3')).toMatch(NAME)
      },
    )
  })
})

describe('The log', () => {
  /** Everything that calls of all kinds log, at the most verbose level. */
  async function capture(run: (test: TestApp) => Promise<void>) {
    const lines: string[] = []
    const keep = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk))
        done()
      },
    })
    const test = await startTestApp({}, createLog('trace', keep))
    await run(test).finally(() => test.close().catch(() => {}))
    return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line)) }
  }

  it('has a line for each response: request, route, status, time and account', { tags: 'slow' }, async () => {
    let id = ''
    const { lines } = await capture(async (test) => {
      const account = await makeAccount(test.db)
      id = account.id
      const client = test.visitor()
      await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
      await client.get('/api/founders/01900000-0000-7000-8000-000000000000')
    })
    expect(lines.at(-1)).toMatchObject({
      level: 30,
      requestId: expect.stringMatching(NAME),
      method: 'GET',
      route: '/api/founders/:id',
      status: 404,
      ms: expect.any(Number),
      account: id,
    })
  })

  it('contains no secret and no typed text, after all kinds of calls and failures', { tags: 'slow' }, async () => {
    const PERSONAL = {
      email: 'ludwig.personal@mit.edu',
      stranger: 'stranger.personal@mit.edu',
      password: 'a secret word of mine',
      wrong: 'a wrong word of mine',
      person: 'Ludwig Personal',
      record: 'Recorded Name',
      address: 'https://linkedin.com/in/personal-address',
      handle: 'personal-address',
      notes: 'Own notes, typed',
      note: 'A fellow note, typed',
      search: 'searched-for-word',
    }
    const secrets: string[] = []
    let sabotaged = 0
    const { text } = await capture(async (test) => {
      const client = test.visitor()
      const { email, password, wrong, person: name } = PERSONAL
      const founder = { name: PERSONAL.record, linkedIn: PERSONAL.address, notes: PERSONAL.notes }
      await client.post('/api/auth/register', { email, password, name })
      await client.post('/api/auth/register', { email, password, name })
      await client.post('/api/auth/check-user', { email: PERSONAL.stranger })
      await client.post('/api/auth/login', { email, password: wrong })
      await client.post('/api/auth/login', { email, password })
      secrets.push(...client.cookies.values())
      const { body: made } = await client.post('/api/founders', founder, { headers: { 'idempotency-key': 'a-key' } })
      await client.post('/api/founders', { ...founder, rating: 99 })
      await client.post('/api/companies', { name: PERSONAL.record, notes: PERSONAL.notes })
      await client.get(`/api/founders?search=${PERSONAL.search}`)
      await client.get(`/api/founders?search=${PERSONAL.search}&limit=x`)
      await client.get(`/api/${PERSONAL.search}`)
      await client.get(`/${PERSONAL.search}.js?${PERSONAL.search}`)
      await client.put(`/api/founders/${made.id}`, { notes: PERSONAL.notes, version: 1 })
      await client.put(`/api/founders/${made.id}`, { notes: PERSONAL.notes, version: 1 })
      await client.post(`/api/notes/founder/${made.id}`, { content: PERSONAL.note })
      await client.post(`/api/founders/${made.id}/refresh`)
      await client.raw({ method: 'POST', url: '/api/founders', payload: PERSONAL.notes })

      // Errors that include the values of the statement: a missing column, a refused row, a text that does not fit.
      for (const fault of [
        sql`alter table records rename column notes to gone`,
        sql`alter table records rename column gone to notes`,
        sql`alter table records add constraint refusing check (name <> 'Recorded Name') not valid`,
        sql`alter table records drop constraint refusing`,
        sql`drop trigger records_queue_check on records`,
        sql`alter table records alter column linked_in_key type integer using 1`,
      ]) {
        await test.db.execute(fault)
        const answers = [
          await client.post('/api/founders', founder),
          await client.get(`/api/founders?search=${PERSONAL.search}`),
        ]
        sabotaged += answers.filter(({ status }) => status === 500).length
      }
      await test.closeDatabase()
      expect((await client.post('/api/founders', founder)).status).toBeGreaterThanOrEqual(500)
    })
    expect(sabotaged).toBeGreaterThanOrEqual(4)
    expect(text).toContain('Failed query')
    expect(text).toContain('invalid input syntax for type integer: …')
    expect(text).toContain('/api/founders/:id')
    for (const typed of Object.values(PERSONAL)) expect(text).not.toContain(typed)
    for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 24))
    expect(text).not.toMatch(/argon2|set-cookie/i)
  })

  it('logs a failed request with the same id as its response, with the statement and without its values', {
    tags: 'slow',
  }, async () => {
    let sent: unknown
    const { lines } = await capture(async (test) => {
      const { email } = await makeAccount(test.db)
      const client = test.visitor()
      await client.post('/api/auth/login', { email, password: PASSWORD })
      await test.db.execute(sql`alter table records rename column notes to gone`)
      const answer = await client.post('/api/companies', { name: 'Typed', notes: 'n' })
      expect(answer.status).toBe(500)
      expect(answer.body.requestId).toBe(answer.headers['x-request-id'])
      sent = answer.body.requestId
    })
    const line = lines.find(({ level, requestId }) => level === 50 && requestId === sent)
    expect(line.err.message).toMatch(/^Failed query: insert into "records"/)
    expect(line.err.cause.code).toBe('42703')
    expect(line.err.stack).toMatch(/^\s+at /)
  })
})
