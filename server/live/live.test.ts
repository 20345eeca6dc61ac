import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, sessions } from '#server/db/schema.ts'
import { safeHeaders } from '#server/http/headers.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let base: string
beforeAll(async () => {
  test = await startTestApp()
  base = await test.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => test.close())

const fellow = () => fellowOf(test)

/** Opens the stream of a signed-in client like a browser, and collects its events. */
async function follow(client: TestClient, at = base, query = '') {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const stop = new AbortController()
  const answer = await fetch(`${at}/api/events${query}`, { headers: { cookie }, signal: stop.signal })
  const events: { kind: string; change?: string; id?: string }[] = []
  let hasEnded = false
  const reading = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() as string
      for (const message of messages) if (message.startsWith('data: ')) events.push(JSON.parse(message.slice(6)))
    }
  })()
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  return { answer, events, hasEnded: () => hasEnded, leave: () => stop.abort(), reading }
}

/** Waits until the condition holds, at most as long as a person would wait. */
async function until(isSo: () => boolean) {
  for (let waited = 0; !isSo() && waited < 5000; waited += 20) await pause(20)
  expect(isSo()).toBe(true)
}

describe('GET /events', () => {
  it('returns 401 when signed out', async () => {
    expect((await test.visitor().get('/api/events')).status).toBe(401)
  })

  it('is a stream of events that is not cached', async () => {
    const { client } = await fellow()
    const stream = await follow(client)
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.answer.headers.get('cache-control')).toBe('no-store')
    stream.leave()
  })

  it('has the safety headers of every other response', async () => {
    const { client } = await fellow()
    const stream = await follow(client)
    const sent = Object.fromEntries(stream.answer.headers)
    stream.leave()
    expect(sent).toMatchObject(safeHeaders(readSettings({})))
  })

  it('reports records and notes that others add, change and delete', async () => {
    const [me, other] = [await fellow(), await fellow()]
    const stream = await follow(me.client)
    const { body: founder } = await other.client.post('/api/founders', {
      name: 'A',
      linkedIn: 'https://linkedin.com/in/a',
      notes: 'n',
    })
    await other.client.put(`/api/founders/${founder.id}`, { rating: 9 })
    await other.client.put(`/api/records/${founder.id}/pipeline`, { nextStep: 'Call', version: 0 })
    const { body: added } = await other.client.post(`/api/notes/founder/${founder.id}`, { content: 'x' })
    await other.client.delete(`/api/notes/founder/${founder.id}/${added.note.id}`)
    await other.client.delete(`/api/founders/${founder.id}`)
    const { body: company } = await other.client.post('/api/companies', { name: 'A', notes: 'n' })
    await until(() => stream.events.some(({ id }) => id === company.id))
    expect(stream.events).toEqual([
      { kind: 'founder', change: 'created', id: founder.id },
      { kind: 'founder', change: 'updated', id: founder.id },
      { kind: 'founder', change: 'pipeline', id: founder.id },
      { kind: 'founder', change: 'notes', id: founder.id },
      { kind: 'founder', change: 'notes', id: founder.id },
      { kind: 'founder', change: 'deleted', id: founder.id },
      { kind: 'company', change: 'created', id: company.id },
    ])
    stream.leave()
  })

  it('reports that people have changed, without saying who: a sign-up, a new name, an invitation', async () => {
    const { client } = await fellow()
    const [manager] = [await fellowOf(test, { role: 'manager' })]
    const stream = await follow(client)
    const people = () => stream.events.filter(({ kind }) => kind === 'people')
    const another = await fellow()
    await until(() => people().length > 0)
    const changes = [
      () => another.client.patch('/api/account', { name: 'Another Name' }),
      () => manager.client.post('/api/programme/invitations', { emails: ['invited@mit.edu'] }),
    ]
    for (const change of changes) {
      const before = people().length
      expect((await change()).status).toBeLessThan(300)
      await until(() => people().length > before)
    }
    expect(people()).toEqual(people().map(() => ({ kind: 'people' })))
    stream.leave()
  })

  it('reports that shared searches have come, changed or gone, and nothing of a fellow’s own one', async () => {
    const [me, other] = [await fellow(), await fellow()]
    const stream = await follow(me.client)
    const heard = () => stream.events.filter(({ kind }) => kind === 'searches').length
    const add = async (isShared: boolean) =>
      (await other.client.post('/api/searches', { name: 'Berlin', kind: 'founder', query: '', isShared })).body.id
    const [own, shared] = [await add(false), await add(true)]
    await until(() => heard() === 1)
    const patch = (id: string, change: object) => other.client.patch(`/api/searches/${id}`, change)
    const [renamed, queried] = [{ name: 'Paris' }, { query: 'search=paris' }]
    const changes = [
      renamed,
      queried,
      { about: 'Founders' },
      { isPinned: true },
      { isShared: false },
      { isShared: true },
    ]
    for (const [index, change] of changes.entries()) {
      for (const id of [own, shared]) expect((await patch(id, id === own ? renamed : change)).status).toBe(200)
      await until(() => heard() === 2 + index)
    }
    for (const id of [own, shared]) expect((await other.client.delete(`/api/searches/${id}`)).status).toBe(204)
    await until(() => heard() === 2 + changes.length)
    await other.client.put(`/api/searches/${await add(true)}/watch`, { isWatched: true })
    await until(() => heard() === 3 + changes.length)
    expect(stream.events.find(({ kind }) => kind === 'searches')).toEqual({ kind: 'searches' })
    stream.leave()
  })

  it('has `inbox` for whom a line concerns and for their other devices, and for no one else', async () => {
    const [me, other] = [await fellow(), await fellow()]
    const [mine, theirs] = [await follow(me.client), await follow(other.client)]
    const isInbox = ({ kind }: { kind: string }) => kind === 'inbox'
    const [row] = await test.db.select().from(accounts).where(eq(accounts.id, me.account.id))
    const { id } = await makeFounder(test.db, { creator: other.account })
    const named = { content: '@Me', mentions: [{ id: row?.publicId, at: 0, length: 3 }] }
    const mark = (as: string) => me.client.post(`/api/inbox/${as}`, { until: new Date().toISOString() })
    const acts = [
      () => other.client.post(`/api/notes/founder/${id}`, named),
      () => other.client.post(`/api/records/${id}/opinions/ask`, { fellows: [row?.publicId] }),
      () => other.client.put(`/api/records/${id}/pipeline`, { responsible: row?.publicId, version: 0 }),
      () => me.client.put(`/api/records/${id}/opinion`, { rating: 5 }),
      () => mark('done'),
      () => other.client.put(`/api/records/${id}/pipeline`, { responsible: null, version: 1 }),
    ]
    for (const act of acts) {
      const before = mine.events.filter(isInbox).length
      expect((await act()).status).toBeLessThan(300)
      await until(() => mine.events.filter(isInbox).length > before)
    }
    await makeNote(test.db, { founder: id })
    await until(() => theirs.events.at(-1)?.change === 'notes')
    expect([mine.events.find(isInbox), theirs.events.filter(isInbox)]).toEqual([{ kind: 'inbox' }, []])
    for (const stream of [mine, theirs]) stream.leave()
  })

  it('contains kind and id, and no content', async () => {
    const { client } = await fellow()
    const stream = await follow(client)
    const { recordId } = await makeNote(test.db, { content: 'a secret thought' })
    await until(() => stream.events.some(({ change, id }) => change === 'notes' && id === recordId))
    expect(JSON.stringify(stream.events)).not.toContain('secret')
    stream.leave()
  })

  it('sends `everything` to a reader who may have missed an event', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const watching = await follow(client)
    const { id } = await makeFounder(test.db)
    await until(() => watching.events.some((event) => event.id === id))
    await pause(1000)
    const [late, inStep, first] = [
      await follow(client, base, '?behind=1500'),
      await follow(client, base, '?behind=1'),
      await follow(client),
    ]
    await until(() => late.events.length > 0)
    expect(late.events).toEqual([{ kind: 'everything' }])
    expect([...inStep.events, ...first.events]).toEqual([])
    for (const stream of [watching, late, inStep, first]) stream.leave()
  })

  it.each(['?behind=', '?behind=-1', '?behind=1e9', '?behind=soon', '?behind=1&behind=2'])(
    'returns 400 for %s',
    async (query) => {
      const { client } = await fellow()
      const { status, body } = await client.get(`/api/events${query}`)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['behind']])
    },
  )

  it('combines many simultaneous changes into one event', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const creator = await makeAccount(test.db)
    const { id } = await makeFounder(test.db, { creator })
    const stream = await follow(client)
    await test.db.execute(`insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text)
      select gen_random_uuid(), 'founder', 'Many', 'https://linkedin.com/in/many', 'n', 5, creator_id, 'many'
      from records, generate_series(1, 500) where id = '${id}'`)
    const atOnce = () => stream.events.filter(({ id }) => id === undefined)
    await until(() => atOnce().length > 0)
    await pause(100)
    expect(atOnce()).toEqual([{ kind: 'founder', change: 'created' }])
    stream.leave()
  })

  it('ends at sign-out, before the next check of all sessions', async () => {
    // The check runs every 4 s: of two streams that expire one after the other, it ends the second one check later.
    for (let count = 0; count < 3; count += 1) {
      const { client } = await fellow()
      const stream = await follow(client)
      await client.post('/api/auth/logout')
      const signedOutAt = Date.now()
      await until(stream.hasEnded)
      expect(Date.now() - signedOutAt).toBeLessThan(2500)
    }
  })

  it('ends when another device ends its session, and leaves other streams open', async () => {
    const [me, other] = [await fellow(), await fellow()]
    const [mine, theirs] = [await follow(me.client), await follow(other.client)]
    await test.db.delete(sessions).where(eq(sessions.accountId, me.account.id))
    await until(mine.hasEnded)
    expect(theirs.hasEnded()).toBe(false)
    theirs.leave()
  })

  it('is limited to 20 per account; a further one closes the oldest', async () => {
    const { client } = await fellow()
    const streams: Awaited<ReturnType<typeof follow>>[] = []
    for (let count = 0; count < 21; count += 1) streams.push(await follow(client))
    await until(() => streams[0]?.hasEnded() === true)
    expect(streams.slice(1).some(({ hasEnded }) => hasEnded())).toBe(false)
    for (const stream of streams) stream.leave()
  })

  it('reports changes by another server on the same database within a second', { tags: 'slow' }, async () => {
    const other = await test.startAgain()
    const address = await other.listen({ port: 0, host: '127.0.0.1' })
    const { client } = await fellow()
    const stream = await follow(client, address)
    const founder = await makeFounder(test.db)
    const began = Date.now()
    await client.post(`/api/notes/founder/${founder.id}`, { content: 'Seen over there' })
    await until(() => stream.events.some(({ change, id }) => change === 'notes' && id === founder.id))
    expect(Date.now() - began).toBeLessThan(1000)
    await client.post('/api/auth/logout')
    await until(stream.hasEnded)
    await other.close()
  })

  it('requests a reload from everyone after the database connection was lost', async () => {
    const { client } = await fellow()
    const stream = await follow(client)
    await test.db.execute(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and (query ilike 'listen%' or query like '%still there%')`)
    await until(() => stream.events.some(({ kind }) => kind === 'everything'))
    const { id } = await makeFounder(test.db)
    await until(() => stream.events.some((event) => event.id === id))
    stream.leave()
  })

  it('disconnects a reader who does not read, once a megabyte is waiting', {
    timeout: 60_000,
  }, async () => {
    const { client } = await fellow()
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const reader = connect(Number(new URL(base).port), '127.0.0.1')
    reader.on('error', () => {})
    const closed = new Promise((done) => reader.on('close', done))
    reader.pause()
    reader.write(`GET /api/events HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
    const watching = await follow(client)
    // More in total than the buffers of both ends plus that megabyte; less at a time than the backlog of an active
    // reader.
    for (let round = 1; round <= 60; round += 1) {
      await test.db.execute(sql`select pg_notify('records', json_build_object(
        'kind', 'founder', 'change', 'updated', 'id', ${round}::text || '.' || n, 'padding', repeat('x', 7800))::text)
        from generate_series(1, 40) n`)
      await until(() => watching.events.at(-1)?.id === `${round}.40`)
    }
    let received = 0
    reader.on('data', (chunk) => (received += chunk.length))
    reader.resume()
    await closed
    expect(received).toBeLessThan(60 * 40 * 7800)
    expect(watching.hasEnded()).toBe(false)
    watching.leave()
  })

  it('ends with the server, which stops without a wait for it', { tags: 'slow' }, async () => {
    const other = await startTestApp()
    const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
    const { email } = await makeAccount(other.db)
    const client = other.visitor()
    await client.post('/api/auth/login', { email, password: PASSWORD })
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const answer = await fetch(`${address}/api/events`, { headers: { cookie } })
    const began = Date.now()
    await other.close()
    expect(Date.now() - began).toBeLessThan(5000)
    await answer.text()
  })
})
