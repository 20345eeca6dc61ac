import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  SEARCH_ABOUT_MAX,
  SEARCH_NAME_MAX,
  SEARCHES_MAX,
  SHARED_SEARCHES_MAX,
  WATCHED_SEARCHES_MAX,
} from '#contract/limits.ts'
import type { SavedSearch } from '#contract/saved-search.ts'
import { rowsOf } from '#server/db/database.ts'
import { makeAccount } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

type Fellow = Awaited<ReturnType<typeof fellowOf>>
let test: TestApp
let manager: Fellow
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Maya' })
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const input = { name: 'Fintech Berlin', kind: 'founder', query: 'stage=none' }
const newFellow = (name = 'Ann') => fellowOf(test, { name })
const save = ({ client }: Fellow, overrides: object = {}) => client.post('/api/searches', { ...input, ...overrides })
const saved = async (fellow: Fellow, overrides: object = {}): Promise<SavedSearch> => {
  const { status, body } = await save(fellow, overrides)
  expect(status).toBe(201)
  return body
}
const list = async ({ client }: Fellow): Promise<SavedSearch[]> => (await client.get('/api/searches?limit=500')).body
const ownOf = async (fellow: Fellow) => (await list(fellow)).filter(({ isOwn }) => isOwn)
const idsOf = async (fellow: Fellow) => (await list(fellow)).map(({ id }) => id)
const ownIdsOf = async (fellow: Fellow) => (await ownOf(fellow)).map(({ id }) => id)
const watch = ({ client }: Fellow, id: string, isWatched = true) =>
  client.put(`/api/searches/${id}/watch`, { isWatched })
const idOf = async ({ account }: Fellow) =>
  (await manager.client.get(`/api/programme/people?limit=500`)).body.find(
    ({ email }: { email: string }) => email === account.email,
  ).id as string
const command = async (fellow: Fellow, name: string) =>
  expect((await manager.client.post(`/api/programme/people/${await idOf(fellow)}/${name}`, {})).status).toBe(200)

describe('A saved search', () => {
  it('has a name, a query, what is sought, and is its fellow’s alone unless it is shared', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const about = 'Payments, seed, in Berlin'
    const search = await saved(ann, { about })
    expect(search).toEqual({
      ...{ id: search.id, ...input, about, isShared: false, isPinned: false, isOwn: true, createdBy: 'Ann' },
      ...{ gone: [], isWatched: false, can: { edit: true } },
    })
    expect(await ownOf(ann)).toEqual([search])
    expect(await idsOf(bob)).not.toContain(search.id)
    expect(await idsOf(manager)).not.toContain(search.id)
    const change = { name: 'Fintech', isShared: true, about: '' }
    const { body } = await ann.client.patch(`/api/searches/${search.id}`, change)
    expect(body).toEqual({ ...search, ...change })
    expect((await list(bob)).find(({ id }) => id === search.id)).toEqual({
      ...{ ...search, ...change, isOwn: false, can: { edit: false } },
    })
  })

  it('stands with one’s own first, pinned ones first among them, then pinned ones of others', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const others = [await saved(bob, { isShared: true }), await saved(bob, { isShared: true, isPinned: true })]
    const own = [await saved(ann), await saved(ann, { isPinned: true })]
    const wanted = [own[1], own[0], others[1], others[0]].map((search) => search?.id)
    expect((await idsOf(ann)).filter((id) => wanted.includes(id))).toEqual(wanted)
  })

  it.each([
    ['sort=rating&view=table&ratingMin=3', 'ratingMin=3&sort=rating&view=table'],
    ['?search=+ada+&mine=true', 'search=ada&mine=true'],
    ['sort=newest&mine=false&search=', ''],
    [`tag=${NOWHERE.toUpperCase()}&stage=none`, `tag=${NOWHERE}&stage=none`],
    ['search=a%26b%3D%C3%A9&addedAfter=2026-01-31', 'search=a%26b%3D%C3%A9&addedAfter=2026-01-31'],
  ])('keeps its query in its normal form: %j is %j', async (query, normal) => {
    const ann = await newFellow()
    const search = await saved(ann, { query })
    expect(search.query).toBe(normal)
    expect((await list(ann))[0]?.query).toBe(normal)
    const { body } = await ann.client.patch(`/api/searches/${search.id}`, { query: normal })
    expect(body.query).toBe(normal)
  })

  it.each([
    ['a cohort', 'cohort=x', 'A search has no parameter "cohort"'],
    ['a time zone', 'timeZone=Europe%2FBerlin', 'A search has no parameter "timeZone"'],
    ['a page', 'limit=5', 'A search has no parameter "limit"'],
    ['a filter of another kind', 'industry=Water', 'A search has no parameter "industry"'],
    ['a parameter that no list has', 'colour=red', 'A search has no parameter "colour"'],
    ['a value that the list refuses', 'stage=x', 'Stage must be the id of a stage, or none'],
    ['a parameter twice', 'stage=none&stage=none', '"stage" must be given once'],
    ['another view', 'view=board', 'View must be table'],
    ['a character that no text has', 'search=%00', 'Search contains invalid characters'],
    ['no text', 5, 'Query must be the parameters of a list, such as stage=none&sort=rating'],
    [
      'a text that is too long',
      `search=${'x'.repeat(20_000)}`,
      'Query must be the parameters of a list, such as stage=none&sort=rating',
    ],
  ])('is refused with %s in its query', async (_what, query, sentence) => {
    const ann = await newFellow()
    const { id } = await saved(ann)
    const answers = [await save(ann, { query }), await ann.client.patch(`/api/searches/${id}`, { query })]
    for (const { status, body } of answers) expect([status, body.fields]).toEqual([400, { query: sentence }])
    expect(await ownIdsOf(ann)).toEqual([id])
  })

  it.each([
    ['without a name', { name: ' ' }, 'name'],
    ['with a name of two lines', { name: 'a\nb' }, 'name'],
    ['with a name that is too long', { name: 'x'.repeat(SEARCH_NAME_MAX + 1) }, 'name'],
    ['with too much that is sought', { about: 'x'.repeat(SEARCH_ABOUT_MAX + 1) }, 'about'],
    ['shared by a word', { isShared: 'yes' }, 'isShared'],
    ['pinned by a number', { isPinned: 1 }, 'isPinned'],
  ])('is refused %s', async (_what, overrides, field) => {
    const ann = await newFellow()
    const { id } = await saved(ann)
    const answers = [await save(ann, overrides), await ann.client.patch(`/api/searches/${id}`, overrides)]
    for (const { status, body } of answers) expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  it('takes what is as long as it may be, and no other kind', async () => {
    const ann = await newFellow()
    await saved(ann, { name: '🦊'.repeat(SEARCH_NAME_MAX), about: '🦊'.repeat(SEARCH_ABOUT_MAX) })
    const { status, body } = await save(ann, { kind: 'note' })
    expect([status, body.fields]).toEqual([400, { kind: 'Kind must be founder or company' }])
  })

  it('is saved once by a repeated request with a key', async () => {
    const ann = await newFellow()
    const headers = { 'idempotency-key': 'saved-search-1' }
    const twice = [1, 2].map(() => ann.client.post('/api/searches', input, { headers }))
    const [one, other] = await Promise.all(twice)
    expect([one?.status, other?.status, one?.body.id]).toEqual([201, 201, other?.body.id])
    expect((await ownOf(ann)).length).toBe(1)
    const different = await ann.client.post('/api/searches', { ...input, name: 'Other' }, { headers })
    expect(different.status).toBe(422)
  })

  it('says so when its tag, stage or fellow is gone', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const tag = (await ann.client.post('/api/tags', { name: 'Short-lived' })).body.id
    const stage = (await manager.client.post('/api/stages', { name: 'Short-lived' })).body.id
    const fellow = (await ann.client.get(`/api/fellows?search=${bob.account.email}`)).body[0].id
    const query = `tag=${tag}&stage=${stage}&by=${fellow}&responsible=${fellow}`
    const { id, gone } = await saved(ann, { query })
    expect(gone).toEqual([])
    await ann.client.delete(`/api/tags/${tag}`)
    await manager.client.patch(`/api/stages/${stage}`, { archived: true })
    await command(bob, 'disable')
    expect((await list(ann)).find((search) => search.id === id)?.gone.toSorted()).toEqual([
      ...['Its fellow is no longer active', 'Its stage has been archived', 'Its tag has been deleted'],
    ])
    await command(bob, 'enable')
    expect((await list(ann))[0]?.gone.length).toBe(2)
    expect((await saved(ann, { query: `reached=${NOWHERE}&stage=none` })).gone).toEqual(['Its stage has been archived'])
  })
})

describe('The limits of saved searches', () => {
  it(`are ${SEARCHES_MAX} a fellow, ${SHARED_SEARCHES_MAX} of them shared, also for acts at the same time`, async () => {
    const ann = await newFellow()
    const shared = await Promise.all(
      Array.from({ length: SHARED_SEARCHES_MAX + 2 }, () => save(ann, { isShared: true })),
    )
    expect(shared.filter(({ status }) => status === 201).length).toBe(SHARED_SEARCHES_MAX)
    const own = await Promise.all(Array.from({ length: SEARCHES_MAX - SHARED_SEARCHES_MAX + 2 }, () => save(ann)))
    const refused = own.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      Array(2).fill([409, 'You have 30 searches already. Delete one first.']),
    )
    const sharing = { isShared: true }
    const alone = own.find(({ status }) => status === 201)?.body.id
    const { status, body } = await ann.client.patch(`/api/searches/${alone}`, sharing)
    expect([status, body.error]).toEqual([409, 'You share 10 searches already. Stop sharing one first.'])
    // One that is shared already stays shared.
    const known = shared.find((answer) => answer.status === 201)?.body.id
    expect((await ann.client.patch(`/api/searches/${known}`, sharing)).status).toBe(200)
    expect((await ann.client.patch(`/api/searches/${known}`, { isShared: false })).status).toBe(200)
    expect((await ann.client.patch(`/api/searches/${alone}`, sharing)).status).toBe(200)
  })

  it(`are ${WATCHED_SEARCHES_MAX} that a fellow watches`, async () => {
    const ann = await newFellow()
    const ids: string[] = []
    for (let count = 0; count <= WATCHED_SEARCHES_MAX; count += 1) ids.push((await saved(ann)).id)
    const answers = await Promise.all(ids.map((id) => watch(ann, id)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [409, 'You watch 20 searches already. Stop watching one first.'],
    ])
    const watched = (await list(ann)).filter(({ isWatched }) => isWatched)
    expect(watched.length).toBe(WATCHED_SEARCHES_MAX)
    expect((await watch(ann, watched[0]?.id as string)).status).toBe(200)
    expect((await watch(ann, watched[0]?.id as string, false)).body.isWatched).toBe(false)
    const last = ids.find((id) => !watched.some((search) => search.id === id))
    expect((await watch(ann, last as string)).body.isWatched).toBe(true)
  })
})

const CALLS: [string, (fellow: Fellow, id: string) => Promise<{ status: number; body: { error?: string } }>][] = [
  ['PATCH', ({ client }, id) => client.patch(`/api/searches/${id}`, { name: 'Other' })],
  ['DELETE', ({ client }, id) => client.delete(`/api/searches/${id}`)],
  ['PUT watch', (fellow, id) => watch(fellow, id)],
  ['GET new', ({ client }, id) => client.get(`/api/searches/${id}/new`)],
  ['POST seen', ({ client }, id) => client.post(`/api/searches/${id}/seen`, { until: '2026-01-01T00:00:00.000Z' })],
]

describe('Who may do what with a saved search', () => {
  it.each(CALLS)('another’s own one is 404 for everyone, managers too, as an unknown id: %s', async (_call, send) => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const { id } = await saved(ann)
    for (const fellow of [bob, manager]) {
      for (const one of [id, NOWHERE, 'x']) {
        const { status, body } = await send(fellow, one)
        expect([status, body.error]).toEqual([404, 'There is no search with this id'])
      }
    }
    expect(await ownIdsOf(ann)).toEqual([id])
  })

  it('everyone sees and watches a shared one; its creator or a manager changes, shares and deletes it', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const { id } = await saved(ann, { isShared: true })
    for (const [, send] of CALLS.slice(0, 2)) {
      const { status, body } = await send(bob, id)
      expect([status, body.error]).toEqual([403, 'Only the fellow who made this search and managers can change it'])
    }
    expect((await watch(bob, id)).status).toBe(200)
    expect((await manager.client.patch(`/api/searches/${id}`, { name: 'By a manager' })).body).toMatchObject({
      ...{ name: 'By a manager', isOwn: false, createdBy: 'Ann', can: { edit: true } },
    })
    // What is not shared any more is its creator's alone, and watched by no other.
    expect((await manager.client.patch(`/api/searches/${id}`, { isShared: false })).status).toBe(200)
    expect([await ownIdsOf(ann), (await idsOf(bob)).includes(id), (await idsOf(manager)).includes(id)]).toEqual([
      ...[[id], false, false],
    ])
    await ann.client.patch(`/api/searches/${id}`, { isShared: true })
    expect((await list(bob)).find((search) => search.id === id)?.isWatched).toBe(false)
    expect((await manager.client.delete(`/api/searches/${id}`)).status).toBe(204)
    expect(await ownIdsOf(ann)).toEqual([])
  })

  it('a demoted manager is a fellow again, and a fellow who becomes a manager changes shared ones', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const { id } = await saved(ann, { isShared: true })
    const rename = async () => (await bob.client.patch(`/api/searches/${id}`, { name: 'Other' })).status
    await command(bob, 'make-manager')
    expect(await rename()).toBe(200)
    await command(bob, 'demote')
    expect(await rename()).toBe(403)
  })

  it('numbers and seen are of what is watched: 409 otherwise', async () => {
    const ann = await newFellow()
    const { id } = await saved(ann)
    for (const [, send] of CALLS.slice(3)) {
      const { status, body } = await send(ann, id)
      expect([status, body.error]).toEqual([409, 'Watch this search first'])
    }
  })

  it.each([
    ['watch', 'put', {}, 'isWatched'],
    ['watch', 'put', { isWatched: 'yes' }, 'isWatched'],
    ['seen', 'post', {}, 'until'],
    ['seen', 'post', { until: 'soon' }, 'until'],
  ] as const)('bad input is 400 at its field: %s by %s of %j', async (path, method, body, field) => {
    const ann = await newFellow()
    const { id } = await saved(ann)
    const answer = await ann.client[method](`/api/searches/${id}/${path}`, body)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]])
  })
})

describe('What becomes of saved searches', () => {
  it('a fellow who is disabled or leaves keeps own ones, which no one sees; shared ones go to managers', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const [own, shared] = [await saved(ann), await saved(ann, { isShared: true })]
    await watch(bob, shared.id)
    await command(ann, 'disable')
    await manager.client.post('/api/programme/people/leave', { ids: [await idOf(ann)] })
    expect(
      [await idsOf(manager), await idsOf(bob)].map((ids) => [ids.includes(own.id), ids.includes(shared.id)]),
    ).toEqual(Array(2).fill([false, true]))
    expect((await list(bob)).find(({ id }) => id === shared.id)?.isWatched).toBe(true)
    const unshare = await manager.client.patch(`/api/searches/${shared.id}`, { isShared: false })
    expect([unshare.status, unshare.body.error]).toEqual([
      ...[409, 'The fellow who made this search has left. Keep it shared, or delete it.'],
    ])
    await command(ann, 'enable')
    const again = { ...ann, client: await test.signedIn(ann.account) }
    expect((await idsOf(again)).slice(0, 2).toSorted()).toEqual([own.id, shared.id].toSorted())
  })

  it('an erased fellow has no own ones and watches nothing; shared ones stay, by a former fellow', async () => {
    const [ann, bob] = [await newFellow('Ann Archer'), await newFellow('Bob')]
    const [own, shared, bobs] = [
      await saved(ann),
      await saved(ann, { isShared: true }),
      await saved(bob, { isShared: true }),
    ]
    for (const { id } of [own, shared, bobs]) await watch(ann, id)
    await command(ann, 'erase')
    const left = await rowsOf<{ id: string }>(
      test.db,
      sql`select id from saved_searches where account_id = ${ann.account.id}
        union all select search_id from search_watches where account_id = ${ann.account.id}`,
    )
    expect(left).toEqual([{ id: shared.id }])
    expect((await list(manager)).find(({ id }) => id === shared.id)?.createdBy).toMatch(/^Former fellow \d+$/)
    expect((await manager.client.delete(`/api/searches/${shared.id}`)).status).toBe(204)
  })

  it('an erasure searches their names, what is sought and the words of their queries, and empties them', async () => {
    const ann = await newFellow()
    const named = {
      name: 'Like Zebulon Quist',
      about: 'As Zebulon Quist',
      query: 'search=Zebulon+Quist&stage=none&sort=rating',
    }
    const { id } = await saved(ann, named)
    const find = async () =>
      (await manager.client.post('/api/programme/privacy/search', { names: ['Zebulon Quist'] })).body as {
        ref: string
        where: string
      }[]
    const hits = await find()
    expect(hits.map(({ where }) => where).toSorted()).toEqual([
      ...['Saved search, about', 'Saved search, name', 'Saved search, query'],
    ])
    const erase = { refs: hits.map(({ ref }) => ref), reason: 'asked' }
    expect((await manager.client.post('/api/programme/privacy/erase', erase)).status).toBe(200)
    expect(await find()).toEqual([])
    expect(await ownOf(ann)).toMatchObject([{ id, name: 'Erased name', about: '', query: 'stage=none&sort=rating' }])
  })

  it('the history has their acts in sentences, with names of shared ones only, and not who watches', async () => {
    const ann = await fellowOf(test, { name: 'Ann Chronicle' })
    const { id } = await saved(ann, { name: 'Quiet words' })
    await ann.client.patch(`/api/searches/${id}`, { about: 'Loud' })
    await ann.client.patch(`/api/searches/${id}`, { isShared: true })
    await watch(ann, id)
    await ann.client.delete(`/api/searches/${id}`)
    const acts = (await manager.client.get('/api/programme/history?limit=500')).body as {
      objectId: string | null
      sentence: string
    }[]
    expect(acts.filter(({ objectId }) => objectId === id).map(({ sentence }) => sentence)).toEqual([
      'Ann Chronicle deleted the search “Quiet words”',
      'Ann Chronicle edited the search “Quiet words”',
      'Ann Chronicle edited a search',
      'Ann Chronicle added a search',
    ])
  })

  it('they go with their watches when they are deleted, and of an unknown account there are none', async () => {
    const [ann, bob] = [await newFellow(), await newFellow('Bob')]
    const { id } = await saved(ann, { isShared: true })
    await watch(bob, id)
    expect((await ann.client.delete(`/api/searches/${id}`)).status).toBe(204)
    expect(await rowsOf(test.db, sql`select from search_watches where search_id = ${id}`)).toEqual([])
    const client = await test.signedIn(await makeAccount(test.db))
    expect((await client.get('/api/searches')).body.filter(({ isOwn }: SavedSearch) => isOwn)).toEqual([])
  })
})
