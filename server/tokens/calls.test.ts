import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TokenScope } from '#contract/token-scopes.ts'
import { accounts, records } from '#server/db/schema.ts'
import { bodyOf, type Call, everyCall, isChange, makeWorld } from '#server/test/calls.ts'
import { makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from './test/tokens.ts'

// Every call, so that future ones are included.

let test: TestApp
let calls: Call[]
beforeAll(async () => {
  test = await startTestApp()
  await fellowOf(test, { role: 'manager' })
  await allow(test, 'all')
  calls = await everyCall(test.visitor())
})
afterAll(() => test.close())

const named = ({ method, path }: Call) => `${method} ${path}`
const scopeOf = ({ operation }: Call) =>
  operation.security?.flatMap(({ token }) => token ?? [])[0] as TokenScope | undefined
/** It never ends: `ends.test.ts`. */
const isStream = ({ path }: Call) => path === '/api/events'

const NOT_FOR_TOKENS = 'No access token can do this. Do it on the page.'
const lacks = (scope?: TokenScope) =>
  `This access token lacks the scope ${scope}. Make one that has it on your account page.`
const REFUSALS = new Set([NOT_FOR_TOKENS, lacks('read'), lacks('export'), lacks('write')])

/** The calls that no token makes, beside all that are under these. */
const UNDER = ['/api/auth', '/api/account', '/api/programme', '/api/inbox']
const NONE = [
  'GET /api/records/{id}/follow',
  'PUT /api/records/{id}/follow',
  'POST /api/since/{key}/seen',
  'POST /api/searches',
  'PATCH /api/searches/{id}',
  'DELETE /api/searches/{id}',
  'PUT /api/searches/{id}/watch',
  'POST /api/searches/{id}/seen',
  'POST /api/records/bulk',
  'POST /api/records/bulk/{id}/undo',
  'POST /api/records/merge',
  'POST /api/records/merge/preview',
  'POST /api/merges/{id}/undo',
  'POST /api/records/{id}/opinions/ask',
  'POST /api/records/{id}/opinions/reveal',
  'POST /api/duplicates/dismiss',
  'DELETE /api/duplicates/dismiss',
  'POST /api/stages',
  'PATCH /api/stages/{id}',
  'PUT /api/passing-reasons',
]
const isForNone = (call: Call) => UNDER.some((path) => call.path.startsWith(path)) || NONE.includes(named(call))
const isFile = ({ path }: Call) => /\/export$|\.csv$|\.ics$|\/refused/.test(path)

describe('The scope of a call', () => {
  it('is read for GET, export for files and calendars, and write for a change, but for what no token may do', () => {
    for (const call of calls) {
      const expected = isForNone(call) ? undefined : isChange(call) ? 'write' : isFile(call) ? 'export' : 'read'
      expect([named(call), scopeOf(call)]).toEqual([named(call), expected])
    }
    expect(NONE.filter((one) => !calls.some((call) => named(call) === one))).toEqual([])
  })

  it.each(['fellow', 'manager'] as const)(
    'is what a token of a %s needs for it, and without it gets 403 with a sentence',
    async (role) => {
      const { client, account } = await fellowOf(test, { role })
      const world = await makeWorld(test.db, account)
      for (const scopes of [
        ['read'],
        ['read', 'export'],
        ['read', 'write'],
        ['read', 'export', 'write'],
      ] as TokenScope[][]) {
        let token = await makeToken(test, client, scopes)
        for (const [place, call] of calls.entries()) {
          const scope = scopeOf(call)
          const has = scope !== undefined && scopes.includes(scope)
          if (has && isStream(call)) continue
          // Its own rate is elsewhere.
          if (place % 200 === 199) token = await makeToken(test, client, scopes)
          // What it may do finds nothing to do it to.
          const url = has
            ? world.about(call).replaceAll(/[0-9a-f-]{36}/g, '01900000-0000-7000-8000-0000000000ff')
            : world.about(call)
          const { status, body } = await token.call(call.method, url, isChange(call) ? { body: bodyOf(call) } : {})
          const refusal = REFUSALS.has(body?.error) ? body.error : 'none'
          const expected = has ? 'none' : scope === undefined ? NOT_FOR_TOKENS : lacks(scope)
          expect([named(call), scopes, refusal]).toEqual([named(call), scopes, expected])
          if (!has) expect([named(call), status]).toEqual([named(call), 403])
        }
      }
    },
    60_000,
  )

  it('never lets a token read what its owner may not, nor what a fellow may not', async () => {
    const [fellow, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const world = await makeWorld(test.db, fellow.account)
    for (const { client } of [fellow, manager]) {
      const token = await makeToken(test, client)
      for (const call of calls.filter((one) => !isChange(one) && !isStream(one))) {
        const [own, other] = [await fellow.client.get(world.about(call)), await token.get(world.about(call))]
        if (other.status < 300) expect([named(call), own.status < 300]).toEqual([named(call), true])
      }
    }
  })
})

describe('In no answer to a token', () => {
  const MARK = 'recognizable'
  const OPINION = 'Opinion of another'

  let worlds = 0

  /** Fellows with and without names, and what shows them. */
  async function world() {
    const fellow = async (name: string, number: number) => {
      const one = await fellowOf(test, { name: 'Temporary', email: `${MARK}-${++worlds}-${number}@mit.edu` })
      await test.db.update(accounts).set({ name }).where(eq(accounts.id, one.account.id))
      return { ...one, account: { ...one.account, name } }
    }
    const [owner, ann, nameless] = [await fellow('Owner', 1), await fellow('Ann', 2), await fellow('', 3)]
    const made = await makeWorld(test.db, nameless.account)
    const publicId = async (id: string) =>
      (await test.db.select().from(accounts).where(eq(accounts.id, id)))[0]?.publicId
    for (const { id } of [made.founder, made.company]) {
      for (const { client } of [ann, nameless]) {
        await client.post(`/api/records/${id}/finders`)
        await client.put(`/api/records/${id}/opinion`, { rating: 3, comment: OPINION })
      }
      const { body } = await nameless.client.get(`/api/records/${id}/pipeline`)
      const responsible = await publicId(nameless.account.id)
      await nameless.client.put(`/api/records/${id}/pipeline`, {
        responsible,
        status: 'on_hold',
        version: body.version,
      })
      await owner.client.put(`/api/records/${id}/opinion`, { rating: 8, comment: 'Mine' })
      const { body: tag } = await nameless.client.post('/api/tags', { name: `Tag ${++worlds}` })
      await nameless.client.put(`/api/records/${id}/tags`, { tags: [tag.id] })
    }
    await makeNote(test.db, { founder: made.founder.id, author: nameless.account })
    await nameless.client.put(`/api/founders/${made.founder.id}/companies/${made.company.id}`, { role: 'CEO' })
    await nameless.client.post('/api/searches', { name: 'Shared', kind: 'founder', query: '', isShared: true })
    const other = await makeFounder(test.db, { creator: nameless.account })
    const both = { survivorId: made.founder.id, duplicateId: other.id }
    const versions = Object.fromEntries((await test.db.select().from(records)).map(({ id, version }) => [id, version]))
    await nameless.client.post('/api/records/merge', {
      ...both,
      versions: { [both.survivorId]: versions[both.survivorId], [both.duplicateId]: versions[both.duplicateId] },
      take: {},
    })
    await nameless.client.post('/api/records/bulk', { ids: [made.company.id], set: { status: 'active' } })
    await test.db.execute(sql`update records set creator_text = ${`${MARK}-imported@mit.edu`}, creator_id = null
      where id = ${(await makeFounder(test.db)).id}`)
    return { owner, ann, nameless, ...made }
  }

  it('is an address of a fellow, or an opinion of another', async () => {
    const { owner, ann, about, founder, company } = await world()
    const token = await makeToken(test, owner.client)
    let byCookie = 0
    for (const call of calls.filter((one) => !isChange(one) && !isStream(one) && scopeOf(one) !== undefined)) {
      for (const suffix of call.path.endsWith('/export')
        ? ['?mine=true', '?mine=true&format=jsonl', '?search=a']
        : ['']) {
        const { status, text } = await token.get(`${about(call)}${suffix}`)
        expect([named(call), status, text.includes(MARK), text.includes(OPINION)]).toEqual([
          named(call),
          status,
          false,
          false,
        ])
        byCookie += Number((await owner.client.get(`${about(call)}${suffix}`)).text.includes(MARK))
      }
    }
    // The same calls have them for a browser, so that this test can fail.
    expect(byCookie).toBeGreaterThan(10)
    for (const { id } of [founder, company]) {
      expect((await token.get(`/api/records/${id}/opinions`)).body).toMatchObject({
        ...{ count: 3, mine: { rating: 8 }, others: null, median: null, spread: null },
      })
    }
    expect((await owner.client.get(`/api/records/${founder.id}/opinions`)).text).toContain(OPINION)
    expect((await token.get('/api/dashboard')).body.fellows).toEqual([])
    const [, found] = [await token.get('/api/fellows?search=Ann'), await token.get(`/api/fellows?search=${MARK}`)]
    expect(found.body).toEqual([])
    const fellows = (await token.get('/api/fellows?search=Ann')).body
    expect(fellows.map(Object.keys)).toEqual(fellows.map(() => ['id', 'name']))
    expect(fellows.length).toBeGreaterThan(0)
    expect((await ann.client.get(`/api/fellows?search=${MARK}`)).body.length).toBeGreaterThan(0)
  })

  it('of a change is one either, also where it is refused', async () => {
    const { owner, nameless, founder } = await world()
    const token = await makeToken(test, owner.client)
    const note = await token.post(`/api/notes/founder/${founder.id}`, { content: 'By a program' })
    expect(note.body.note).toMatchObject({ author: 'Owner', authorEmail: '' })
    await test.db.execute(sql`update records set created_at = now() where id = ${founder.id}`)
    const { body } = await nameless.client.get(`/api/founders/${founder.id}`)
    expect(body.createdBy).toContain(MARK)
    await nameless.client.put(`/api/founders/${founder.id}`, { notes: 'Changed meanwhile', version: body.version })
    const conflict = await token.put(`/api/founders/${founder.id}`, { notes: 'Late', version: body.version })
    expect([conflict.status, conflict.body.current?.createdBy, conflict.text.includes(MARK)]).toEqual([
      409,
      null,
      false,
    ])
    const refused = await token.delete(`/api/founders/${founder.id}`)
    expect([refused.status, refused.text.includes(MARK)]).toEqual([403, false])
    const edited = await token.put(`/api/founders/${founder.id}`, {
      notes: 'New',
      version: conflict.body.current.version,
    })
    expect([edited.status, edited.body.createdBy]).toEqual([200, null])
    const own = await token.put(`/api/records/${founder.id}/opinion`, { rating: 9 })
    expect(own.body).toMatchObject({ mine: { rating: 9 }, others: null, median: null })
  })
})
