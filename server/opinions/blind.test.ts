import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { addressOf, type Call, everyCall, makeWorld } from '#server/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

// Opinions are blind for everyone who has not given theirs: nothing that the server gives has an author, a rating or a
// comment before. Checked with every read of the API document, including future ones.

type Fellow = Awaited<ReturnType<typeof fellowOf>>

let test: TestApp
let reads: Call[]
let readers: Fellow[]
let authors: Fellow[]
const logged: string[] = []
beforeAll(async () => {
  const keep = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  test = await startTestApp({}, createLog('trace', keep))
  reads = (await everyCall(test.visitor())).filter(
    ({ method, path }) => method === 'GET' && !/events|picture|auth\/sso/.test(path),
  )
  readers = [await fellowOf(test, { name: 'Blind Fellow' }), await fellowOf(test, { name: 'Blind', role: 'manager' })]
  authors = await Promise.all(['Zephyrine', 'Quillon', 'Ottoline'].map((name) => fellowOf(test, { name })))
})
afterAll(() => test.close())

/** All other ratings of this world are 5. */
const RATINGS = [9, 9, 2]
const COMMENT = 'Planted-comment'
const VALUES = new RegExp(`${COMMENT}|"(rating|median|spread|before|after)":"?\\\\?"?(9|2|7)\\b`)
/** Lists of people have everyone. Whether they say who has given an opinion is checked beside. */
const OF_PEOPLE = /fellows|people|programme\/history/

async function plant(id: string) {
  for (const [at, { client }] of authors.entries()) {
    const opinion = { rating: RATINGS[at], comment: `${COMMENT}-${at}` }
    expect((await client.put(`/api/records/${id}/opinion`, opinion)).status).toBe(200)
  }
}

const authorsIn = (text: string) =>
  authors.filter(({ account }) => [account.name, account.email, account.id].some((one) => text.includes(one)))

/** Reads everything that there is about a record, for each reader. */
async function readAll(id: string, count = RATINGS.length) {
  expect(reads.length).toBeGreaterThan(40)
  for (const { client } of readers) {
    const { body } = await client.get(`/api/records/${id}/opinions`)
    expect(body).toEqual({ count, mine: null, others: null, median: null, spread: null, revealedAt: null })
    for (const call of reads) {
      const { status, text } = await client.get(addressOf(call, id))
      expect([call.path, status < 500, text.match(VALUES)]).toEqual([call.path, true, null])
      if (!OF_PEOPLE.test(call.path)) expect([call.path, authorsIn(text)]).toEqual([call.path, []])
    }
    for (const query of ['sort=rating', 'opinion=missing', 'sort=lastNote', 'search=Planted', 'search=Zephyrine']) {
      const { status, text } = await client.get(`/api/founders?${query}`)
      expect([query, status, text.match(VALUES), authorsIn(text)]).toEqual([query, 200, null, []])
    }
  }
}

const world = async () => {
  const { founder } = await makeWorld(test.db, (readers[0] as Fellow).account)
  await plant(founder.id)
  return founder
}

describe('Before one has given an opinion', () => {
  it('no call of the API has an author, a rating or a comment of others, for managers too', {
    tags: 'slow',
  }, async () => {
    await readAll((await world()).id)
  })

  it('nor has one after a merge, its undo, and a deletion and its return', { tags: 'slow' }, async () => {
    const [fellow, manager] = readers as [Fellow, Fellow]
    const founder = await world()
    const other = await makeFounder(test.db, { creator: fellow.account })
    const merged = await merge(fellow.client, other, founder)
    expect(merged.text).not.toMatch(VALUES)
    await readAll(other.id)
    const undone = await undo(fellow.client, merged.body.mergeId)
    expect([undone.status, undone.text.match(VALUES), authorsIn(undone.text)]).toEqual([200, null, []])
    await readAll(founder.id)
    expect((await manager.client.delete(`/api/founders/${founder.id}`)).status).toBe(204)
    const { text } = await manager.client.get('/api/programme/deleted')
    expect([text.match(VALUES), authorsIn(text)]).toEqual([null, []])
    await manager.client.post(`/api/programme/deleted/${founder.id}/restore`, {})
    await readAll(founder.id)
  })

  it('the history of the programme and its export do not say who has given one', async () => {
    const { client } = readers[1] as Fellow
    const { id } = await world()
    const author = (authors[0] as Fellow).account
    for (const query of ['', `record=${id}`, `person=${author.email}`, 'action=give-opinion']) {
      const { body } = await client.get(`/api/programme/history?limit=500&${query}`)
      const about = body.filter(({ by, objectId, action }: { by: string; objectId: string; action: string }) => {
        return /opinion/.test(action) || (by === author.email && objectId === id)
      })
      expect([query, about]).toEqual([query, []])
      const { status, text } = await client.get(`/api/programme/history/export?${query}`)
      expect([query, status, /opinion/.test(text)]).toEqual([query, 200, false])
    }
  })

  it('an event has the id and nothing else', async () => {
    const { id } = await makeFounder(test.db)
    const events: unknown[] = []
    const records = (payload: string) => void events.push(JSON.parse(payload))
    const stop = await test.database.listen({ records }, () => {})
    await plant(id)
    const [{ client }] = authors as [Fellow]
    await client.put(`/api/records/${id}/opinion`, { rating: 5 })
    await client.delete(`/api/records/${id}/opinion`)
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(RATINGS.length + 2)
    expect(events).toEqual(events.map(() => ({ kind: 'founder', change: 'updated', id })))
    await stop()
  })

  it('the log has none of it, at its most verbose level', async () => {
    const { id } = await world()
    const [{ client }] = authors as [Fellow]
    await client.put(`/api/records/${id}/opinion`, { rating: 99, comment: COMMENT })
    const text = logged.join('')
    expect(text).toContain('/api/records/:id/opinion')
    expect(text).not.toMatch(VALUES)
    expect(authors.filter(({ account }) => text.includes(account.name) || text.includes(account.email))).toEqual([])
    expect(logged.filter((line) => /opinion/.test(line) && line.includes(id))).toEqual([])
  })

  it('no table but that of opinions has a comment, and the audit log has no values', async () => {
    const { id } = await world()
    const entries = await rowsOf(
      test.db,
      sql`select id from audit_log where action like '%opinion%' and coalesce(before, after, detail) is not null`,
    )
    expect(entries).toEqual([])
    const { client } = readers[0] as Fellow
    expect((await client.get(`/api/founders/${id}`)).body.opinionCount).toBe(RATINGS.length)
  })
})

describe('A search for a person', () => {
  const search = async ({ client }: Fellow, name: string, comments?: boolean) =>
    (await client.post('/api/programme/privacy/search', { names: [name], ...(comments && { comments }) })).body as {
      ref: string
      kind: string
      excerpt: string
      where: string
    }[]

  it('counts comments of opinions in one number over all records, without record, excerpt and time', async () => {
    const [manager, [{ client }]] = [readers[1] as Fellow, authors as [Fellow]]
    const comment = 'Reminds me of Wilhelmina Farquharson'
    const records = [await makeFounder(test.db), await makeFounder(test.db, { name: 'Wilhelmina Farquharson' })]
    for (const { id } of records) await client.put(`/api/records/${id}/opinion`, { rating: 9, comment })
    const about = (await search(manager, 'Reminds')).filter(({ kind }) => kind === 'opinions')
    expect(about).toEqual([
      { ref: '', where: 'Comments of opinions', kind: 'opinions', excerpt: '', at: null, comments: 2 },
    ])
    // With the name of a record the number is the same, so that it does not say on which one a word stands.
    const named = (await search(manager, 'Wilhelmina Farquharson')).filter(({ kind }) => kind === 'opinions')
    expect(named).toEqual(about)
    // Nor after the manager has judged one of them.
    await manager.client.put(`/api/records/${records[0]?.id}/opinion`, { rating: 5 })
    expect((await search(manager, 'Reminds')).filter(({ kind }) => kind === 'opinions')).toEqual(about)
    expect((await manager.client.post('/api/programme/privacy/report', { refs: [''] })).status).toBe(400)
  })

  it('shows them when it is asked to, and the manager counts as having read the opinions of each', async () => {
    const manager = await fellowOf(test, { role: 'manager' })
    const [{ client }] = authors as [Fellow]
    const [shown, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    await client.put(`/api/records/${shown.id}/opinion`, { rating: 9, comment: 'Like Theophania Brackenbury' })
    await client.put(`/api/records/${other.id}/opinion`, { rating: 9, comment: 'Like no other' })
    const [hit] = await search(manager, 'Theophania Brackenbury', true)
    expect(hit).toMatchObject({
      kind: 'opinions',
      excerpt: expect.stringMatching(/Brackenbury/),
      ref: expect.stringMatching(/./),
    })
    expect(authorsIn(JSON.stringify(hit))).toEqual([])
    for (const [{ id }, isAfterReading] of [
      [shown, true],
      [other, false],
    ] as const) {
      const { body } = await manager.client.put(`/api/records/${id}/opinion`, { rating: 5 })
      expect(body.mine.isAfterReading).toBe(isAfterReading)
    }
  })

  it('leads to a report with opinions without author, and who opens it is marked as having read them', async () => {
    const manager = await fellowOf(test, { role: 'manager' })
    const [author, bystander] = [authors[0] as Fellow, await makeFounder(test.db)]
    const founder = await makeFounder(test.db, { name: 'Hildegund Oxenstierna' })
    for (const id of [founder.id, bystander.id]) {
      const opinion = { rating: 9, comment: 'Planted about Hildegund Oxenstierna' }
      await author.client.put(`/api/records/${id}/opinion`, opinion)
    }
    const refs = (await search(manager, 'Hildegund Oxenstierna', true)).map(({ ref }) => ref)
    const { status, body } = await manager.client.post('/api/programme/privacy/report', { refs })
    expect(status).toBe(200)
    const { rows } = body.tables.find(({ table }: { table: string }) => table === 'opinions')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ rating: 9, comment: expect.stringMatching(/Oxenstierna/) })
    expect(authorsIn(JSON.stringify(body))).toEqual([])
    for (const id of [founder.id, bystander.id]) {
      // Blind on the record as before, but what is given now is marked.
      expect((await manager.client.get(`/api/records/${id}/opinions`)).body.others).toBeNull()
      const { body: own } = await manager.client.put(`/api/records/${id}/opinion`, { rating: 5 })
      expect(own.mine.isAfterReading).toBe(true)
    }
  })

  it('lets an erasure empty a comment elsewhere, and delete the opinions of the person’s record', {
    tags: 'slow',
  }, async () => {
    const manager = await fellowOf(test, { role: 'manager' })
    const [{ client }] = authors as [Fellow]
    const [founder, bystander] = [
      await makeFounder(test.db, { name: 'Ermengarde Vilkutis' }),
      await makeFounder(test.db),
    ]
    for (const id of [founder.id, bystander.id]) {
      await client.put(`/api/records/${id}/opinion`, { rating: 9, comment: 'Like Ermengarde Vilkutis' })
    }
    const refs = (await search(manager, 'Ermengarde Vilkutis', true)).map(({ ref }) => ref)
    const headers = { 'idempotency-key': 'erase-of-opinions-1' }
    const erased = await manager.client.post('/api/programme/privacy/erase', { refs, reason: 'asked' }, { headers })
    expect(erased.status).toBe(200)
    const { body } = await client.get(`/api/records/${bystander.id}/opinions`)
    expect(body.mine).toMatchObject({ rating: 9, comment: '' })
    expect(await rowsOf(test.db, sql`select id from opinions where record_id = ${founder.id}`)).toEqual([])
  })
})
