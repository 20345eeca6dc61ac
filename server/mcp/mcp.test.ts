import type { Client } from '@modelcontextprotocol/client'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, keyOf, storedFields } from '#contract/fields.ts'
import { kindFields } from '#contract/kind-fields.ts'
import { kindNamed, kinds } from '#contract/kinds.ts'
import { rowsOf } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from '#server/tokens/test/tokens.ts'
import { ANSWER_MAX, sizeOf, thatFit } from './present.ts'
import { callTool, connectTo, openDoor, PRESENT, PREVIOUS } from './test/door.ts'

let test: TestApp
let url: URL
let fellow: Awaited<ReturnType<typeof fellowOf>>
let other: Awaited<ReturnType<typeof fellowOf>>
let token: Awaited<ReturnType<typeof makeToken>>

beforeAll(async () => {
  test = await startTestApp()
  url = await openDoor(test)
  await fellowOf(test, { role: 'manager' })
  await allow(test, 'all', true)
  fellow = await fellowOf(test)
  other = await fellowOf(test)
  token = await makeToken(test, fellow.client, ['read'])
})
afterAll(() => test.close())

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

const post = (headers: Record<string, string>, body: unknown = LIST, at: URL | string = url) =>
  fetch(at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })
/** What each request of the present revision says. */
const REVISION = '2026-07-28'
const paramsOf = (params: object) => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})
const standardHeaders = (method: string) => ({ 'mcp-protocol-version': REVISION, 'mcp-method': method })
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

const call = async (name: string, given: object, client?: Client) =>
  callTool(client ?? (await connectTo(url, token.token)), name, given)

let names = 0
const founder = async (name = `Ada ${++names}`, by = fellow) => {
  const linkedIn = `https://www.linkedin.com/in/door-${++names}`
  return (await by.client.post('/api/founders', { name, linkedIn, notes: 'Met at a talk.' })).body
}
const addNote = (id: string, content: string, by = fellow) => by.client.post(`/api/notes/founder/${id}`, { content })

describe('The assistant’s door', () => {
  it('is for a token: 401 without one, with a wrong one, and with one in the address', async () => {
    const wrong = `${token.token.slice(0, -1)}${token.token.endsWith('a') ? 'b' : 'a'}`
    for (const answer of [
      await post({}),
      await post(bearer(wrong)),
      await post({}, LIST, `${url}?access_token=${token.token}`),
    ]) {
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
  })

  it('is for a token that can only read: one with write is 403', async () => {
    expect((await post(bearer((await makeToken(test, fellow.client, ['read', 'write'])).token))).status).toBe(403)
    expect((await post(bearer((await makeToken(test, fellow.client, ['read', 'export'])).token))).status).toBe(200)
  })

  it('refuses a session cookie beside the token, and a foreign Origin', async () => {
    const cookie = [...fellow.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await post({ ...bearer(token.token), cookie })).status).toBe(400)
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      expect((await post({ ...bearer(token.token), origin })).status).toBe(403)
    expect((await post({ ...bearer(token.token), origin: url.origin })).status).toBe(200)
  })

  it('answers 405 to GET and DELETE', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect((await fetch(url, { method, headers: bearer(token.token) })).status).toBe(405)
    }
  })

  it('keeps no stream open for news of its tools, which never change', async () => {
    const client = await connectTo(url, token.token)
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
    const listen = { ...LIST, method: 'subscriptions/listen', params: paramsOf({ notifications: {} }) }
    const answer = await post({ ...bearer(token.token), ...standardHeaders(listen.method) }, listen)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
    ])
  })

  it('refuses a batch of requests, in both revisions', async () => {
    const batch = [1, 2].map((id) => ({ ...LIST, id, params: paramsOf({}) }))
    for (const headers of [{}, standardHeaders(LIST.method)]) {
      const answer = await post({ ...bearer(token.token), ...headers }, batch)
      const error = { code: -32600, message: 'Send one request at a time' }
      expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error }])
    }
  })

  it('is closed by a manager, at once', async () => {
    await allow(test, 'all', false)
    expect((await post(bearer(token.token))).status).toBe(403)
    await allow(test, 'all', true)
    expect((await post(bearer(token.token))).status).toBe(200)
  })
})

describe('The tools', () => {
  it('are listed in at most 10,000 characters, without const and without anyOf with null', async () => {
    const { tools } = await (await connectTo(url, token.token)).listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search', 'list_records', 'get_record', 'read_notes', 'find_duplicates', 'get_pipeline', 'propose'],
    ])
    const text = JSON.stringify(tools)
    expect(text.length).toBeLessThan(10_000)
    expect(text).not.toMatch(/"const"|"anyOf"/)
  })

  it.each([
    ['present', PRESENT],
    ['previous', PREVIOUS],
  ])('do one round for the protocol’s own client in its %s revision', async (_which, revision) => {
    const client = await connectTo(url, token.token, revision)
    const ask = async (name: string, given: object) => {
      const { isError, answer } = await call(name, given, client)
      expect([name, isError && answer]).toEqual([name, false])
      return answer
    }
    const { id, name } = await founder()
    await addNote(id, 'Raising in May')
    const { body: tag } = await fellow.client.post('/api/tags', { name: `Demo day ${names}` })
    await fellow.client.put(`/api/records/${id}/tags`, { tags: [tag.id] })
    const [stage] = (await fellow.client.get('/api/stages')).body
    const pipeline = { stage: stage.id, nextStep: 'Send the deck', nextOn: '2031-01-02', version: 0 }
    await fellow.client.put(`/api/records/${id}/pipeline`, pipeline)

    const address = `/founders/${id}`
    expect((await ask('search', { words: name })).records).toMatchObject([{ id, address, theirWords: { name } }])
    expect((await ask('list_records', { kind: 'founder', filters: { tag: tag.name } })).records).toMatchObject([
      { id, theirWords: { name, tags: [tag.name], nextStep: 'Send the deck' } },
    ])
    const { body: saved } = await fellow.client.post('/api/searches', {
      ...{ name: 'Mine', kind: 'founder', query: `tag=${tag.id}&sort=rating` },
    })
    expect((await ask('list_records', { savedSearch: saved.id })).records).toHaveLength(1)
    expect(await ask('get_record', { id })).toMatchObject({
      ...{ id, kind: 'founder', status: 'active', nextOn: '2031-01-02', allNotes: 1 },
      theirWords: { name, notes: 'Met at a talk.', stage: stage.name, tags: [tag.name] },
      notes: [{ theirWords: { note: 'Raising in May' } }],
    })
    expect((await ask('read_notes', { id })).notes).toHaveLength(1)
    expect((await ask('find_duplicates', { kind: 'founder', name })).records).toMatchObject([
      { id, reason: 'same_name', theirWords: { name } },
    ])
    const { stages } = await ask('get_pipeline', { kind: 'founder', stage: stage.name })
    expect(stages).toMatchObject([{ theirWords: { stage: stage.name } }])
    expect(stages[0].records.map((one: { id: string }) => one.id)).toContain(id)
    expect((await ask('propose', { acts: [{ act: 'add_note', record: id, note: 'Call' }] })).address).toBe(
      `${url.origin}${address}#note=Call`,
    )
  })

  it('read pages of lists and notes to their end, each once', async () => {
    const { id } = await founder()
    for (let number = 0; number < 45; number += 1) await addNote(id, `Note ${number}`)
    const seen: string[] = []
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const { answer } = await call('read_notes', { id, ...(cursor && { cursor }) })
      seen.push(...answer.notes.map((one: { theirWords: { note: string } }) => one.theirWords.note))
      cursor = answer.cursor
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, number) => `Note ${44 - number}`))
  })

  it('answer in at most 8,000 tokens, also of long texts in writing without an alphabet, and page on', async () => {
    const long = '語'.repeat(1_000)
    await test.db.execute(sql`
      insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text)
      select gen_random_uuid(), 'founder', repeat('語', 200), 'https://www.linkedin.com/in/long-' || n,
        repeat('語', 10000), 5, ${fellow.account.id}, '' from generate_series(1, 60) n`)
    const [{ id }] = (await fellow.client.get('/api/founders?limit=1')).body
    for (let number = 0; number < 25; number += 1) await addNote(id, long)
    const [stage] = (await fellow.client.get('/api/stages')).body
    await fellow.client.put(`/api/records/${id}/pipeline`, { stage: stage.id, nextStep: '語'.repeat(200), version: 0 })
    const seen = new Set<string>()
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const { text, answer } = await call('list_records', { kind: 'founder', ...(cursor && { cursor }) })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_200)
      for (const record of answer.records) seen.add(record.id)
      cursor = answer.cursor
    }
    const [{ count }] = (await rowsOf<{ count: number }>(
      test.db,
      sql`select count(*)::int as count from records where kind = 'founder'`,
    )) as [{ count: number }]
    expect(seen.size).toBe(count)
    for (const [name, given] of [
      ['get_record', { id }],
      ['read_notes', { id }],
      ['search', { words: '語' }],
      ['get_pipeline', { kind: 'founder' }],
      ['find_duplicates', { kind: 'founder', name: '語'.repeat(200) }],
    ] as const) {
      const { text, isError } = await call(name, given)
      expect([name, isError]).toEqual([name, false])
      expect([name, Buffer.byteLength(text) <= 24_200]).toEqual([name, true])
    }
    expect((await call('get_record', { id })).answer.theirWords.notes).toContain('… (cut: 10000 characters)')
  })

  it('answer in at most 8,000 tokens of a record whose every text is long, with long links', async () => {
    const long = '😀'.repeat(10_000)
    for (const kind of kinds) {
      const info = Object.fromEntries(
        storedFields(kindFields[kind.name] as readonly Field[]).map((one) => [keyOf(one), long]),
      )
      const other = kind.name === 'founder' ? 'company' : 'founder'
      const [row] = await rowsOf<{ id: string }>(
        test.db,
        sql`insert into records (id, kind, name, notes, rating, creator_id, search_text, additional_info)
          values (gen_random_uuid(), ${kind.name}, repeat('😀', 200), ${long}, 5, ${fellow.account.id}, '', ${JSON.stringify(info)})
          returning id`,
      )
      const id = row?.id as string
      for (let number = 0; number < 20; number += 1) {
        const linked = await fellow.client.post(`/api/${kindNamed(other).path}`, {
          ...{ name: '😀'.repeat(95), notes: 'n' },
          ...{ linkedIn: `https://www.linkedin.com/in/long-link-${++names}`, website: `https://long-${names}.example` },
          ...(other === 'founder' ? { website: undefined } : { linkedIn: undefined }),
        })
        const [founderId, companyId] = other === 'founder' ? [linked.body.id, id] : [id, linked.body.id]
        await fellow.client.put(`/api/founders/${founderId}/companies/${companyId}`, { role: '😀'.repeat(50) })
      }
      const { text, answer } = await call('get_record', { id })
      expect([kind.name, Buffer.byteLength(text) <= 24_200, answer.links.length > 0]).toEqual([kind.name, true, true])
    }
  })

  it('leave room for the cursor behind their rows', () => {
    for (let length = 300; length < 1_000; length += 1) {
      const records = thatFit(Array(100).fill('x'.repeat(length)))
      expect(sizeOf({ records, cursor: 'x'.repeat(200) })).toBeLessThanOrEqual(ANSWER_MAX)
    }
  })

  it('say why a record was passed', async () => {
    const { id } = await founder()
    const [reason] = (await fellow.client.get('/api/passing-reasons')).body
    const passed = { status: 'passed', reason: { id: reason.id }, version: 0 }
    expect((await fellow.client.put(`/api/records/${id}/pipeline`, passed)).status).toBe(200)
    const { status, theirWords } = (await call('get_record', { id })).answer
    expect([status, theirWords.reasonForPassing]).toEqual(['passed', reason.name])
  })

  it('follow a merge, and have nothing of a deleted record', async () => {
    const [kept, gone] = [await founder(), await founder()]
    const versions = { [kept.id]: kept.version, [gone.id]: gone.version }
    await fellow.client.post('/api/records/merge', { survivorId: kept.id, duplicateId: gone.id, versions })
    expect((await call('get_record', { id: gone.id })).answer.id).toBe(kept.id)
    await fellow.client.delete(`/api/founders/${kept.id}`)
    for (const name of ['get_record', 'read_notes'])
      expect(await call(name, { id: kept.id })).toMatchObject({
        isError: true,
        text: 'There is no record with this id.',
      })
    expect((await call('search', { words: kept.name })).answer.records).toEqual([])
  })

  it('have no address of a fellow, and nothing of opinions', async () => {
    const { id } = await founder(undefined, other)
    await other.client.put(`/api/records/${id}/opinion`, { rating: 2, comment: 'A blind opinion' })
    for (const name of ['get_record', 'read_notes']) {
      const { text } = await call(name, { id })
      expect(text).not.toContain(other.account.email)
      expect(text).not.toMatch(/blind|opinion/i)
    }
  })

  it('say in a sentence of ours what is wrong', async () => {
    for (const [name, given, sentence] of [
      ['get_record', { id: 'nowhere' }, 'There is no record with this id.'],
      ...['../account', '..', '%2e%2e', 'similar', 'export', 'values', '\ud800', 'a'.repeat(200)].flatMap((id) =>
        (['get_record', 'read_notes'] as const).map(
          (name) => [name, { id }, 'There is no record with this id.'] as const,
        ),
      ),
      ['list_records', {}, 'Give a kind, or the id of a saved search.'],
      ['list_records', { savedSearch: 'x' }, 'There is no search with this id.'],
      ['list_records', { kind: 'founder', filters: { colour: 'red' } }, 'There is no parameter "colour"'],
      ['get_pipeline', { kind: 'founder', stage: 'Nowhere' }, 'There is no stage with this name.'],
    ] as const)
      expect(await call(name, given)).toMatchObject({ isError: true, text: sentence })
  })
})

describe('What an assistant proposes', () => {
  const propose = (...acts: object[]) => call('propose', { acts })
  const hashOf = async (...acts: object[]) => {
    const { answer } = await propose(...acts)
    const { pathname, hash } = new URL(answer.address)
    return [pathname, Object.fromEntries(new URLSearchParams(hash.slice(1)))]
  }

  it('is the address of a form of ours, filled in, for each act', async () => {
    const { id } = await founder()
    const page = `/founders/${id}`
    const { body: tag } = await fellow.client.post('/api/tags', { name: `Proposed ${names}` })
    const added = {
      name: 'Eve',
      linkedIn: 'https://www.linkedin.com/in/eve',
      notes: 'Met.',
      tag: tag.name,
      step: 'Call',
    }
    expect(await hashOf({ act: 'add_founder', ...added, on: '2031-01-02' })).toEqual([
      '/founders/add',
      { ...added, on: '2031-01-02' },
    ])
    expect(await hashOf({ act: 'add_company', name: 'Tide', website: 'tide.example' })).toEqual([
      '/companies/add',
      { name: 'Tide', website: 'tide.example' },
    ])
    for (const [act, values] of [
      ['add_note', { note: 'One\ntwo & <b>three</b>' }],
      ['set_next_step', { step: 'Call', on: '2031-01-02' }],
      ['set_stage', { stage: 'met' }],
      ['add_tag', { tag: tag.name }],
    ] as const)
      expect(await hashOf({ act, record: id, ...values })).toEqual([page, values])
    expect(await hashOf({ act: 'correct_field', record: id, field: 'title', value: 'CTO' })).toEqual([
      page,
      { title: 'CTO' },
    ])
  })

  it('is made by reading each record once', async () => {
    const { id } = await founder()
    const read = () =>
      rowsOf<{ sum: number }>(test.db, sql`select coalesce(sum(count), 0)::int as sum from token_reads`)
    const [before] = await read()
    const acts = Array.from({ length: 20 }, (_, number) => ({ act: 'add_note', record: id, note: String(number) }))
    expect((await propose(...acts)).isError).toBe(false)
    expect((await read())[0]?.sum).toBe((before?.sum ?? 0) + 1)
  })

  it('is one page of proposals for several acts, with a line for each', async () => {
    const { id } = await founder()
    const { answer } = await propose({ act: 'add_note', record: id, note: 'A' }, { act: 'add_founder', name: 'Eve' })
    const { pathname, hash } = new URL(answer.address)
    expect([pathname, new URLSearchParams(hash.slice(1)).getAll('to')]).toEqual([
      '/proposals',
      [`/founders/${id}#note=A`, '/founders/add#name=Eve'],
    ])
    expect(answer.acts).toEqual([
      { number: 1, act: 'add_note', kind: 'founder', record: id },
      { number: 2, act: 'add_founder', kind: 'founder' },
    ])
  })

  it.each([
    ['without its record', { act: 'add_note', note: 'A' }, 'Act 1 (add_note): record is missing.'],
    [
      'of a record that is not there',
      { act: 'add_note', record: 'x', note: 'A' },
      'Act 1 (add_note): there is no record with this id.',
    ],
    [
      'with what it does not take',
      { act: 'add_founder', name: 'A', stage: 'Met' },
      'Act 1 (add_founder): it takes no stage.',
    ],
    [
      'on a day that is none',
      { act: 'add_founder', name: 'A', step: 'B', on: 'Friday' },
      'Act 1 (add_founder): on must be a day, YYYY-MM-DD.',
    ],
    [
      'with a tag that is not there',
      { act: 'add_founder', name: 'A', tag: 'No such' },
      'Act 1 (add_founder): there is no tag with this name.',
    ],
    [
      'with more than 4,000 characters',
      { act: 'add_founder', name: 'A', notes: 'a'.repeat(4_000) },
      'The texts of all acts have 4001 characters. At most 4000 fit: propose less at a time.',
    ],
  ])('is refused %s', async (_how, act, sentence) => {
    expect(await propose(act)).toMatchObject({ isError: true, text: sentence })
  })

  it('is refused where its address is longer than an answer may be', async () => {
    const { id } = await founder()
    const noteOf = (length: number) => ({ act: 'add_note', record: id, note: '語'.repeat(length) })
    for (const acts of [[noteOf(3_900)], [noteOf(1_900), noteOf(1_900)]]) {
      const { isError, text } = await propose(...acts)
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^The address of these acts has \d+ characters\. At most 24000 fit an answer/),
      ])
    }
    expect((await propose(noteOf(2_500))).isError).toBe(false)
  })

  it('is refused beyond 20 acts, and with an act that is none', async () => {
    for (const acts of [
      Array.from({ length: 21 }, () => ({ act: 'add_founder', name: 'A' })),
      [{ act: 'delete' }],
      [],
    ]) {
      const answer = await (await connectTo(url, token.token))
        .callTool({ name: 'propose', arguments: { acts } })
        .catch(() => ({ isError: true }))
      expect(answer.isError).toBe(true)
    }
  })
})
