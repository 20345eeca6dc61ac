import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_CALLS_MAX, TOKEN_READS_MAX, TOKENS_MAX } from '#contract/limits.ts'
import { createSecret, isInAddress, isSecret } from '#server/auth/tokens/secret.ts'
import { rowsOf } from '#server/db/database.ts'
import { accessTokens, accounts, auditLog, sessions, tokenReads } from '#server/db/schema.ts'
import { recordRef } from '#server/programme/privacy/refs.ts'
import { makeAccount, makeCompany, makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken, tokenClient } from './test/tokens.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { name: 'Priya', role: 'manager' })
  await allow(test, 'all')
})
afterAll(() => test.close())

const PATH = '/api/account/tokens'
const ENDED = { status: 401, body: { error: 'This access token has ended, or was never valid' } }

describe('An access token', () => {
  it('is sbk_ with 32 random bytes and a check sum, shown once, and kept as a hash with the last four', async () => {
    const { client, account } = await fellowOf(test)
    const { status, body } = await client.post(PATH, { name: 'Airtable sync', scopes: ['export'], days: 90 })
    expect(status).toBe(201)
    expect(body.token).toMatch(/^sbk_[\w-]{49}$/)
    expect(isSecret(body.token)).toBe(true)
    const { token, ...shown } = body
    expect(shown).toEqual({
      ...{ id: expect.any(String), name: 'Airtable sync', scopes: ['read', 'export'], lastFour: token.slice(-4) },
      ...{ createdAt: expect.any(String), expiresAt: expect.any(String), lastUsedAt: null, lastNetwork: null },
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBeCloseTo(90 * 86_400_000, -5)
    expect((await client.get(PATH)).body).toEqual({ allowed: 'all', isSafe: true, tokens: [shown] })
    const rows = await rowsOf(test.db, sql`select t::text from access_tokens t where account_id = ${account.id}`)
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, -4))
    const [entry] = await test.db.select().from(auditLog).where(eq(auditLog.objectId, account.id))
    expect(entry).toMatchObject({ action: 'account-token-create', after: { name: 'Airtable sync' } })
    expect(JSON.stringify(entry)).not.toContain(token.slice(4, -4))
  })

  it.each([
    ['name', { name: ' ' }, 'Name is required'],
    ['name', { name: 'a\nb' }, 'Name must be on one line'],
    ['name', { name: 'x'.repeat(61) }, 'Name must be at most 60 characters'],
    ['scopes', { scopes: ['admin'] }, 'Scopes are read, export and write'],
    ['days', { days: 31 }, 'Days must be 30, 90 or 365'],
  ])('with a wrong %s is refused at its field', async (field, wrong, sentence) => {
    const { client } = await fellowOf(test)
    const { status, body } = await client.post(PATH, { name: 'Sync', scopes: ['read'], days: 30, ...wrong })
    expect([status, Object.entries(body.fields)[0]?.[0].split('.')[0], body.error]).toEqual([400, field, sentence])
  })

  it('asks for the password, and is told at the next sign-in', async () => {
    const { client, account } = await fellowOf(test)
    await test.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.accountId, account.id))
    const refused = await client.post(PATH, { name: 'Sync', scopes: ['read'], days: 30 })
    expect([refused.status, refused.body.code]).toEqual([403, 'confirm'])
    await client.post('/api/account/confirm', { password: PASSWORD })
    await makeToken(test, client)
    expect((await client.get('/api/account/notices')).body).toEqual([])
    const next = test.visitor()
    await next.post('/api/auth/login', { email: account.email, password: PASSWORD })
    expect((await next.get('/api/account/notices')).body).toMatchObject([{ what: 'token', by: account.name }])
  })

  it('shows its owner when it was last used, to the minute, and from which network', async () => {
    const { client } = await fellowOf(test)
    const token = await makeToken(test, client)
    await token.get('/api/founders')
    const [shown] = (await client.get(PATH)).body.tokens
    expect(shown.lastUsedAt).toMatch(/:00\.000Z$/)
    expect(shown.lastNetwork).toBe('127.0.0.1')
  })

  it(`is one of at most ${TOKENS_MAX}`, async () => {
    const { client } = await fellowOf(test)
    for (let made = 0; made < TOKENS_MAX; made += 1) await makeToken(test, client)
    const { status, body } = await client.post(PATH, { name: 'One more', scopes: [], days: 30 })
    expect([status, body.error]).toEqual([409, 'You have 20 access tokens. End one first.'])
  })

  it('is ended by its owner, and by no other fellow', async () => {
    const [ada, bob] = [await fellowOf(test), await fellowOf(test)]
    const token = await makeToken(test, ada.client)
    expect((await bob.client.delete(`${PATH}/${token.id}`)).status).toBe(404)
    expect((await token.get('/api/founders')).status).toBe(200)
    expect((await ada.client.delete(`${PATH}/${token.id}`)).status).toBe(204)
    expect(await token.get('/api/founders')).toMatchObject(ENDED)
    expect((await ada.client.delete(`${PATH}/${token.id}`)).status).toBe(404)
    expect((await ada.client.get(PATH)).body.tokens).toEqual([])
  })

  it('is shown only where PUBLIC_URL is https or the browser is on localhost', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const elsewhere = { headers: { host: 'sourcebook.lan' } }
    const other = await startTestApp({ PUBLIC_URL: 'http://sourcebook.lan', TOKENS: 'all' })
    const { client: there } = await fellowOf(other)
    const input = { name: 'Sync', scopes: [], days: 30 }
    const refused = await there.post(PATH, input, elsewhere)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'An access token is shown only where the address of Sourcebook begins with https.',
    ])
    expect((await there.get(PATH, elsewhere)).body.isSafe).toBe(false)
    expect((await client.post(PATH, input)).status).toBe(201)
    await other.close()
    const secure = await startTestApp({ PUBLIC_URL: 'https://sourcebook.example.com', TOKENS: 'all' })
    const fellow = await fellowOf(secure)
    expect((await fellow.client.post(PATH, input, { headers: { host: 'sourcebook.example.com' } })).status).toBe(201)
    await secure.close()
  })
})

describe('The caller of a token', () => {
  it('needs no anti-forgery token, and no cookie is read or set', async () => {
    const { client } = await fellowOf(test)
    const token = await makeToken(test, client)
    const cookie = 'session=stale.x; pre-session=x; XSRF-TOKEN=x'
    const input = { name: 'Ada', linkedIn: 'https://linkedin.com/in/ada-by-token', notes: 'n' }
    const { status, headers } = await token.call('POST', '/api/founders', { body: input, headers: { cookie } })
    expect([status, headers['set-cookie']]).toEqual([201, undefined])
  })

  it('with a live session cookie beside it gets 400 two_identities', async () => {
    const [ada, bob] = [await fellowOf(test), await fellowOf(test)]
    const { token } = await makeToken(test, ada.client)
    for (const { client } of [ada, bob]) {
      const { status, body } = await client.get('/api/founders', { headers: { authorization: `Bearer ${token}` } })
      expect([status, body.code]).toEqual([400, 'two_identities'])
    }
    await bob.client.post('/api/auth/logout')
    expect((await bob.client.get('/api/founders', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  it('in the query string gets 401, whatever its place and spelling, and with a session too', async () => {
    const { client } = await fellowOf(test)
    const { token } = await makeToken(test, client)
    for (const query of [
      `access_token=${token}`,
      `search=${token}`,
      `${token}=1`,
      `search=x%20${token.replace('_', '%5F')}`,
    ]) {
      for (const caller of [client, test.visitor()]) {
        const { status, body } = await caller.get(`/api/founders?${query}`)
        expect([status, body.error]).toEqual([
          401,
          'An access token belongs in the header Authorization, not in an address. End this one.',
        ])
      }
    }
    expect((await client.get('/api/founders?search=sbk_something')).status).toBe(200)
  })

  it('whose check sum is wrong gets 401 without a query of the database', { tags: 'slow' }, async () => {
    const other = await startTestApp()
    await other.closeDatabase()
    for (const wrong of [
      `${createSecret().slice(0, -1)}!`,
      createSecret().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'sbk_',
      `${createSecret()} x`,
    ])
      for (const method of ['GET', 'POST'] as const) {
        const answer = await tokenClient(other, wrong).call(method, '/api/founders')
        expect([wrong, answer.status, answer.headers['www-authenticate']]).toEqual([wrong, 401, 'Bearer'])
      }
    expect((await tokenClient(other, createSecret()).get('/api/founders')).status).toBe(503)
    await other.app.close().catch(() => {})
  })

  it('is one of Sourcebook only: the credentials of a proxy before it are left alone', async () => {
    const { client } = await fellowOf(test)
    for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOi']) {
      expect((await client.get('/api/founders', { headers: { authorization } })).status).toBe(200)
    }
  })

  it(`makes at most ${TOKEN_CALLS_MAX} calls in a minute, then gets 429 with Retry-After`, {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test)
    const [busy, other] = [await makeToken(test, client), await makeToken(test, client)]
    for (let made = 0; made < TOKEN_CALLS_MAX; made += 1) await busy.get('/api/tags')
    const { status, headers } = await busy.get('/api/tags')
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
    expect([(await other.get('/api/tags')).status, (await client.get('/api/tags')).status]).toEqual([200, 200])
  })
})

describe('Without the scope export', () => {
  it('a token reads at most 5,000 records in 24 hours, with the other tokens of its owner, and none beyond', async () => {
    const { client, account } = await fellowOf(test)
    const [reads, also, exports] = [
      await makeToken(test, client, ['read', 'write']),
      await makeToken(test, client, []),
      await makeToken(test, client, ['export']),
    ]
    const founder = await makeFounder(test.db, { creator: account, name: 'Counted' })
    await makeCompany(test.db, { creator: account, name: 'Counted too' })
    const counted = async () => {
      const [row] = await rowsOf<{ sum: number }>(
        test.db,
        sql`select coalesce(sum(count), 0)::int as sum from token_reads where account_id = ${account.id}`,
      )
      return row?.sum
    }
    await reads.get(`/api/founders/${founder.id}`)
    expect(await counted()).toBe(1)
    await reads.get('/api/founders?search=Counted')
    await also.get('/api/companies?search=Counted')
    expect(await counted()).toBe(3)
    await exports.get('/api/founders?search=Counted')
    await client.get('/api/founders?search=Counted')
    expect(await counted()).toBe(3)
    await test.db
      .update(tokenReads)
      .set({ count: TOKEN_READS_MAX - 1 })
      .where(eq(tokenReads.accountId, account.id))
    expect((await reads.get(`/api/founders/${founder.id}`)).status).toBe(200)
    for (const token of [reads, also]) {
      const { status, body, headers } = await token.get(`/api/founders/${founder.id}`)
      expect([status, body.error, Number(headers['retry-after']) > 0]).toEqual([
        429,
        'An access token without the scope export can read 5,000 records in 24 hours. Try again later.',
        true,
      ])
    }
    expect((await exports.get(`/api/founders/${founder.id}`)).status).toBe(200)
    expect((await client.get(`/api/founders/${founder.id}`)).status).toBe(200)
    expect(await counted()).toBe(TOKEN_READS_MAX)
    await test.db.execute(
      sql`update token_reads set hour = hour - interval '25 hours' where account_id = ${account.id}`,
    )
    expect((await reads.get(`/api/founders/${founder.id}`)).status).toBe(200)
  })

  it('each record that an answer is about counts, also in calls that are about its parts, and none in the feed', async () => {
    const { client, account } = await fellowOf(test)
    const token = await makeToken(test, client, ['write'])
    const founder = await makeFounder(test.db, { creator: account, name: 'Parted' })
    const company = await makeCompany(test.db, { creator: account, name: 'Parted too' })
    await makeNote(test.db, { founder: founder.id, author: account })
    await client.put(`/api/founders/${founder.id}/companies/${company.id}`, { role: 'CEO' })
    const counted = async () => {
      const [row] = await rowsOf<{ sum: number }>(
        test.db,
        sql`select coalesce(sum(count), 0)::int as sum from token_reads where account_id = ${account.id}`,
      )
      return row?.sum ?? 0
    }
    for (const [path, expected] of [
      [`/api/founders/${founder.id}/history`, 2],
      [`/api/notes/founder/${founder.id}`, 1],
      ['/api/notes/my-notes', 1],
      [`/api/companies/${company.id}/founders`, 2],
      [`/api/records/${founder.id}/pipeline`, 1],
      ['/api/founders/similar?name=Parted', 1],
      [`/api/founders/${company.id}/history`, 0],
      ['/api/feed', 0],
      ['/api/fellows', 0],
    ] as const) {
      const before = await counted()
      await token.get(path)
      expect([path, (await counted()) - before]).toEqual([path, expected])
    }
    const before = await counted()
    const conflict = await token.put(`/api/founders/${founder.id}`, { notes: 'Late', version: 0 })
    expect([conflict.body.current?.name ?? conflict.status, await counted()]).toEqual(['Parted', before + 1])
  })

  it('a change beyond the limit is refused before it is made, and never after', async () => {
    const { client, account } = await fellowOf(test)
    const token = await makeToken(test, client, ['write'])
    const spend = (count: number) =>
      test.db
        .insert(tokenReads)
        .values({ accountId: account.id, hour: sql`date_trunc('hour', now())` as never, count })
        .onConflictDoUpdate({ target: [tokenReads.accountId, tokenReads.hour], set: { count } })
    const add = (name: string) =>
      token.post('/api/founders', { name, linkedIn: `https://linkedin.com/in/spent-${name}`, notes: 'n' })
    await spend(TOKEN_READS_MAX - 1)
    expect((await add('last')).status).toBe(201)
    expect((await add('beyond')).status).toBe(429)
    expect((await client.get('/api/founders?mine=true')).body.map(({ name }: { name: string }) => name)).toEqual([
      'last',
    ])
  })
})

describe('Who may have tokens', () => {
  it('is no one by default, and managers decide: none, read or all; what is allowed no more ends', {
    tags: 'slow',
  }, async () => {
    const other = await startTestApp()
    const [boss, ada] = [await fellowOf(other, { role: 'manager' }), await fellowOf(other)]
    const settings = '/api/programme/tokens'
    expect((await boss.client.get(settings)).body).toEqual({ allowed: 'none', assistant: false })
    const make = (scopes: string[]) => ada.client.post(PATH, { name: 'Sync', scopes, days: 30 })
    const choose = (allowed: string, assistant = false) => boss.client.put(settings, { allowed, assistant })
    expect([(await make([])).status, (await make([])).body.error]).toEqual([
      409,
      'Managers do not allow such access tokens here.',
    ])
    expect((await choose('read', true)).body).toEqual({ allowed: 'read', assistant: true })
    expect([(await make(['export'])).status, (await make(['write'])).status]).toEqual([409, 409])
    const reading = tokenClient(other, (await make([])).body.token)
    await choose('all')
    const writing = tokenClient(other, (await make(['write'])).body.token)
    expect([(await reading.get('/api/tags')).status, (await writing.get('/api/tags')).status]).toEqual([200, 200])
    await choose('read')
    expect([(await reading.get('/api/tags')).status, (await writing.get('/api/tags')).status]).toEqual([200, 401])
    await choose('none')
    expect((await reading.get('/api/tags')).status).toBe(401)
    await choose('all')
    expect((await reading.get('/api/tags')).status).toBe(401)
    expect((await ada.client.put(settings, { allowed: 'all', assistant: true })).status).toBe(403)
    const wrong = await boss.client.put(settings, { allowed: 'some', assistant: true })
    expect([wrong.status, wrong.body.fields]).toEqual([400, { allowed: 'Allowed must be none, read or all' }])
    await other.close()
  })

  it('is in the environment while there is no manager, and then a token acts for none', { tags: 'slow' }, async () => {
    const other = await startTestApp({ TOKENS: 'all' })
    const ada = await fellowOf(other)
    const token = await makeToken(other, ada.client)
    const left = await makeAccount(other.db)
    const founder = await makeFounder(other.db, { creator: left })
    const advance = { status: 'advanced', version: 0 }
    expect((await token.put(`/api/records/${founder.id}/pipeline`, advance)).status).toBe(403)
    expect((await token.get('/api/founders/export')).status).toBe(403)
    expect((await ada.client.get('/api/founders/export')).status).toBe(200)
    expect((await ada.client.put(`/api/records/${founder.id}/pipeline`, advance)).status).toBe(200)
    await makeNote(other.db, { founder: founder.id, author: ada.account })
    await other.db.update(accounts).set({ disabledAt: new Date(), leftAt: new Date() }).where(eq(accounts.id, left.id))
    expect((await token.get(`/api/founders/${founder.id}`)).body.can.delete).toBe(false)
    expect((await ada.client.get(`/api/founders/${founder.id}`)).body.can.delete).toBe(true)
    await fellowOf(other, { role: 'manager' })
    expect((await token.get('/api/tags')).status).toBe(401)
    await other.close()
  })

  it('managers see how many each fellow has, and end them, which the fellow is told', async () => {
    const ada = await fellowOf(test, { name: 'Ada of tokens' })
    const tokens = [await makeToken(test, ada.client), await makeToken(test, ada.client, [])]
    const person = async () => (await manager.client.get('/api/programme/people?search=Ada%20of%20tokens')).body[0]
    const { id, tokens: count, can } = await person()
    expect([count, can.includes('end-tokens')]).toEqual([2, true])
    expect((await ada.client.post(`/api/programme/people/${id}/end-tokens`)).status).toBe(403)
    expect((await manager.client.post(`/api/programme/people/${id}/end-tokens`)).status).toBe(200)
    for (const token of tokens) expect((await token.get('/api/tags')).status).toBe(401)
    expect((await person()).tokens).toBe(0)
    expect((await ada.client.get('/api/account/notices')).body).toMatchObject([{ what: 'tokens_ended', by: 'Priya' }])
  })
})

describe('A token has the rights of a fellow', () => {
  it('also while its owner is a manager', async () => {
    const token = await makeToken(test, manager.client)
    const { id } = await makeFounder(test.db)
    expect((await token.get('/api/rights')).body).toEqual(
      (await (await makeToken(test, (await fellowOf(test)).client)).get('/api/rights')).body,
    )
    expect((await token.delete(`/api/founders/${id}`)).status).toBe(403)
    expect((await token.get('/api/founders/export')).status).toBe(403)
    expect((await token.get(`/api/founders/${id}`)).body.can).toMatchObject({ edit: false, delete: false })
    expect((await manager.client.get(`/api/founders/${id}`)).body.can).toMatchObject({ edit: true, delete: true })
  })

  it('also in an import, whose rows its token has uploaded', async () => {
    const token = await makeToken(test, manager.client)
    const file =
      'name,linkedIn,notes,createdBy\nImported Byatoken,https://linkedin.com/in/imported-by-token,n,Someone Else'
    const { status, body } = await token.call('POST', '/api/imports?name=people.csv', {
      ...{ body: file, headers: { 'content-type': 'application/octet-stream' } },
    })
    expect(status).toBe(201)
    const state = async () => (await token.get(`/api/imports/${body.id}`)).body.state
    await expect.poll(state).toBe('ready')
    expect((await token.post(`/api/imports/${body.id}/run`)).status).toBe(202)
    await expect.poll(state).toBe('done')
    const [founder] = (await token.get('/api/founders?search=Byatoken')).body
    expect(founder.createdBy).toBe('Priya')
    const [entry] = (await manager.client.get(`/api/founders/${founder.id}/history`)).body
    expect([entry.by, entry.token]).toEqual(['Priya', 'Sync'])
  })

  it('history says Ada, by the token "Airtable sync"', async () => {
    const ada = await fellowOf(test, { name: 'Ada' })
    const token = await makeToken(test, ada.client, ['write'], 'Airtable sync')
    const { id } = await makeFounder(test.db, { creator: ada.account, name: 'Grace' })
    await token.put(`/api/founders/${id}`, { notes: 'New', version: 1 })
    await token.put(`/api/records/${id}/opinion`, { rating: 5 })
    const [entry] = (await ada.client.get(`/api/founders/${id}/history`)).body
    expect(entry).toMatchObject({ by: 'Ada', token: 'Airtable sync', sentence: expect.any(String) })
    const sentences = async () =>
      (await manager.client.get(`/api/programme/history?record=${id}&limit=2`)).body.map(
        ({ sentence }: { sentence: string }) => sentence,
      )
    expect((await sentences())[0]).toBe('Ada, by the token "Airtable sync", edited the founder Grace')
    await test.db.delete(accessTokens).where(eq(accessTokens.id, token.id))
    expect((await sentences())[0]).toBe('Ada edited the founder Grace')
  })
})

describe('A token ends', () => {
  it.each([
    [
      'by its expiry',
      async (id: string) => {
        await test.db.update(accessTokens).set({ expiresAt: new Date() }).where(eq(accessTokens.accountId, id))
      },
    ],
    [
      'when its account is disabled',
      async (id: string) => {
        await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, id))
      },
    ],
    [
      'with a changed password',
      async (id: string) => {
        await test.db.execute(sql`update credentials set password = 'x' where account_id = ${id}`)
      },
    ],
    [
      'with a deleted password',
      async (id: string) => {
        await test.db.execute(sql`delete from credentials where account_id = ${id}`)
      },
    ],
  ])('%s, for good', async (_what, end) => {
    const { client, account } = await fellowOf(test)
    const token = await makeToken(test, client)
    await end(account.id)
    expect(await token.get('/api/tags')).toMatchObject(ENDED)
    await test.db.update(accounts).set({ disabledAt: null }).where(eq(accounts.id, account.id))
    expect(await token.get('/api/tags')).toMatchObject(ENDED)
  })

  it('not with another name, sign-out, or what is no password', async () => {
    const { client } = await fellowOf(test)
    const token = await makeToken(test, client)
    await client.patch('/api/account', { name: 'Another name' })
    await client.post('/api/auth/logout')
    expect((await token.get('/api/tags')).status).toBe(200)
  })
})

it('The page of an erasure lists the tokens that were in use since, ended ones too', async () => {
  const [ada, priya] = [await fellowOf(test, { name: 'Ada' }), await fellowOf(test, { role: 'manager' })]
  const { id } = await makeFounder(test.db, { creator: ada.account })
  const [used, ended, quiet] = [
    await makeToken(test, ada.client, [], 'Used'),
    await makeToken(test, ada.client, [], 'Ended'),
    await makeToken(test, ada.client, [], 'Quiet'),
  ]
  for (const token of [used, ended, quiet]) await token.get('/api/tags')
  await ada.client.delete(`${PATH}/${ended.id}`)
  await test.db
    .update(accessTokens)
    .set({ lastUsedAt: new Date(0) })
    .where(eq(accessTokens.id, quiet.id))
  const erase = { refs: [recordRef(id)], reason: 'asked' }
  const { status, body } = await priya.client.post('/api/programme/privacy/erase', erase)
  const listed = body.exports.filter(({ what, by }: { what: string; by: string }) => what === 'token' && by === 'Ada')
  expect(status).toBe(200)
  expect(listed.map(({ filter }: { filter: { name: string } }) => filter.name).toSorted()).toEqual(['Ended', 'Used'])
})

it('A token is found in an address by its form and its check sum', () => {
  const secret = createSecret()
  expect([
    isInAddress(`/a?b=${secret}`),
    isInAddress(`/a/${secret}`),
    isInAddress(`/a?b=${secret.slice(0, -1)}`),
  ]).toEqual([...[true, false, false]])
})
