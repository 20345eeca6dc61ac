import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KindName, kindNamed, kinds as kindNames } from '#contract/kinds.ts'
import { LOOKED_AT_MAX, SINCE_COUNT_MAX } from '#contract/limits.ts'
import type { SavedSearch, SearchNews } from '#contract/saved-search.ts'
import { rowsOf } from '#server/db/database.ts'
import { records, searchWatches } from '#server/db/schema.ts'
import { csv, HEADER, rowsOf as importedRowsOf, importFile } from '#server/import/test/import-file.ts'
import { kinds } from '#server/kinds.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { pagesOf } from '#server/records/test/list-world.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { type Random, randomFrom } from '../../scripts/seed/random.ts'

type Fellow = Awaited<ReturnType<typeof fellowOf>> & { publicId: string }
let test: TestApp
let watchers: Fellow[]
beforeAll(async () => {
  test = await startTestApp()
  await installQueues(test.database)
  watchers = await Promise.all([1, 2, 3].map(() => newFellow()))
})
afterAll(() => test.close())

async function newFellow(): Promise<Fellow> {
  const fellow = await fellowOf(test, { role: 'manager' })
  const [row] = await rowsOf<{ publicId: string }>(
    test.db,
    sql`select public_id as "publicId" from accounts where id = ${fellow.account.id}`,
  )
  return { ...fellow, publicId: row?.publicId ?? '' }
}

/** `npm run test:long -- measured` does the larger number. */
const ACTS = process.env.LONG ? 1_000 : 20

let named = 0
const watch = async ({ client }: Fellow, query: string, kind: KindName = 'founder'): Promise<string> => {
  named += 1
  const { body } = await client.post('/api/searches', { name: `Search ${named}`, kind, query })
  expect((await client.put(`/api/searches/${body.id}/watch`, { isWatched: true })).status).toBe(200)
  return body.id
}
const ZONE = 'Pacific/Kiritimati'
async function newsOf({
  client,
}: Fellow): Promise<{ until: string; searches: (SavedSearch & { news: SearchNews })[] }> {
  const { body, headers } = await client.get(`/api/searches?timeZone=${ZONE}`)
  const searches = body.filter(({ isWatched }: SavedSearch) => isWatched)
  return { until: String(headers['x-seen-until']), searches }
}
const countsOf = async (fellow: Fellow, id: string) => {
  const news = (await newsOf(fellow)).searches.find((search) => search.id === id)?.news
  return [news?.new.count, news?.changed.count]
}
const listed = async ({ client }: Fellow, id: string): Promise<string[]> =>
  (await pagesOf(client, `/api/searches/${id}/new?limit=40&timeZone=${ZONE}`)).ids
const see = async ({ client }: Fellow, id: string, until: string) =>
  expect((await client.post(`/api/searches/${id}/seen`, { until })).status).toBe(204)
const note = ({ client }: Fellow, id: string) => client.post(`/api/notes/founder/${id}`, { content: 'A note' })

describe('What is new and changed in a watched search', () => {
  it('is what others have added, and what another has acted on last, since it was seen', async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const before = await makeFounder(test.db, { creator: other.account })
    const mine = await makeFounder(test.db, { creator: reader.account })
    await expect.poll(async () => Number(new Date((await newsOf(reader)).until)) > mine.createdAt.getTime()).toBe(true)
    const id = await watch(reader, '')
    expect(await countsOf(reader, id)).toEqual([0, 0])

    const added = await makeFounder(test.db, { creator: other.account })
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 0])
    await note(other, before.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 1])
    await note(other, added.id)
    await note(reader, mine.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 1])
    expect((await listed(reader, id)).toSorted()).toEqual([before.id, added.id].toSorted())

    // An act of one's own counts as having seen the record.
    await note(reader, added.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([0, 1])
    await note(other, added.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 1])

    const { until } = await newsOf(reader)
    await see(reader, id, until)
    expect(await countsOf(reader, id)).toEqual([0, 0])
    expect(await listed(reader, id)).toEqual([])
    // An older time brings nothing back, and a later one than now hides nothing that comes.
    await see(reader, id, '2020-01-01T00:00:00.000Z')
    await see(reader, id, '2100-01-01T00:00:00.000Z')
    expect(await countsOf(reader, id)).toEqual([0, 0])
    await note(other, mine.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([0, 1])
  })

  it('opens exactly these records in the list of the search, by the cohort of the numbers', async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const id = await watch(reader, 'ratingMin=8')
    const high = await makeFounder(test.db, { creator: other.account, rating: 9 })
    await makeFounder(test.db, { creator: other.account, rating: 7 })
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 0])
    const { until, searches } = await newsOf(reader)
    const search = searches.find((one) => one.id === id)
    await see(reader, id, until)
    const list = await reader.client.get(`/api/founders?${search?.query}&cohort=${search?.news.cohort}`)
    expect(list.body.map((record: { id: string }) => record.id)).toEqual([high.id])
    // It belongs to the account that got it.
    expect((await other.client.get(`/api/founders?cohort=${search?.news.cohort}`)).status).toBe(400)
  })

  it('is not what comes to match by an opinion or by the clock, which only the list has', async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const judged = await makeFounder(test.db, { creator: other.account })
    const id = await watch(reader, 'opinion=missing')
    const { until } = await newsOf(reader)
    await see(reader, id, until)
    await other.client.put(`/api/records/${judged.id}/opinion`, { rating: 7 })
    const list = (await reader.client.get('/api/founders?opinion=missing')).body
    expect(list.map((record: { id: string }) => record.id)).toContain(judged.id)
    await other.client.post(`/api/notes/founder/${(await makeFounder(test.db)).id}`, { content: 'n' })
    expect(await countsOf(reader, id)).toEqual([0, 0])
    await note(other, judged.id)
    await expect.poll(() => countsOf(reader, id)).toEqual([0, 1])
  })

  it('misses nothing of a transaction that is still running', async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const id = await watch(reader, '')
    await test.db.transaction(async (tx) => {
      await makeFounder(tx, { creator: other.account })
      await see(reader, id, (await newsOf(reader)).until)
    })
    await expect.poll(() => countsOf(reader, id)).toEqual([1, 0])
  })

  it('has what others import, and nothing of one’s own import', { tags: 'slow' }, async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const [readers, others] = [await watch(reader, ''), await watch(other, '')]
    const { id } = await importFile(reader.client, csv(HEADER, 'Vera Voss,,,', 'Wim Wolf,,,'))
    await expect.poll(() => countsOf(other, others)).toEqual([2, 0])
    expect(await countsOf(reader, readers)).toEqual([0, 0])
    const [vera] = await importedRowsOf(reader.client, id)
    await note(other, vera?.recordId as string)
    await expect.poll(() => countsOf(reader, readers)).toEqual([0, 1])
  })

  it(`is counted up to ${SINCE_COUNT_MAX}, and is many changes beyond ${LOOKED_AT_MAX} records`, {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const [reader, other] = [await newFellow(), await newFellow()]
    const id = await watch(reader, 'search=crowd')
    const add = (count: number, name: string) => {
      const rows = Array.from({ length: count }, () => ({
        ...{ id: uuidv7(), info: null, isImported: false, creatorId: other.account.id },
        fields: { name, notes: 'n', rating: 5, linkedIn: '' },
      }))
      return insertRecords(test.db, kinds[0] as (typeof kinds)[number], rows)
    }
    const newsNow = async () => (await newsOf(reader)).searches.find((search) => search.id === id)?.news
    await add(SINCE_COUNT_MAX + 1, 'Crowd')
    await add(LOOKED_AT_MAX - SINCE_COUNT_MAX - 1, 'Other')
    await expect.poll(newsNow).toMatchObject({ new: { count: SINCE_COUNT_MAX, hasMore: true }, isMany: false })
    expect((await listed(reader, id)).length).toBe(SINCE_COUNT_MAX + 1)
    await add(1, 'Other')
    await expect.poll(newsNow).toMatchObject({ new: { count: 0 }, changed: { count: 0 }, isMany: true })
    // The list itself is opened.
    const whole = (await pagesOf(reader.client, '/api/founders?search=crowd&limit=40')).ids
    expect(await listed(reader, id)).toEqual(whole)
  })

  it('equals a recount at every step of random acts, with mine, opinions and filters of time, and so does the list', {
    timeout: 3_600_000,
  }, async () => {
    const random = randomFrom('searches')
    const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    const tag = (await watchers[0]?.client.post('/api/tags', { name: 'Climate' }))?.body.id
    const queries = [
      ...['', 'mine=true', 'opinion=missing', `addedAfter=${today}`, `quietSince=${tomorrow}`, 'next=due'],
      ...['search=name', `tag=${tag}&sort=rating`, `mine=true&by=${watchers[1]?.publicId}`, 'ratingMin=4&stage=none'],
    ]
    for (const watcher of watchers) for (const query of queries) await watch(watcher, query, random.one(kindNames).name)
    const world: World = { ids: new Map(), merges: [], deleted: [], tag }
    let counted = 0
    for (let step = 1; step <= ACTS; step += 1) {
      await act(random, world)
      counted += await compare(random, random.one(watchers))
      if (random.chance(0.1)) {
        const watcher = random.one(watchers)
        const { until, searches } = await newsOf(watcher)
        await see(watcher, random.one(searches).id, until)
      }
    }
    expect(counted).toBeGreaterThan(ACTS)
  })
})

type Row = typeof records.$inferSelect

/** What a search should say, from whole tables and its own list. */
async function recount(
  { client, account: { id: me } }: Fellow,
  search: SavedSearch,
  { until, all }: { until: string; all: ReadonlyMap<string, Row> },
) {
  const [watched] = await test.db.select().from(searchWatches).where(eq(searchWatches.searchId, search.id))
  const isIn = (time: Date) => time > (watched as { seenUntil: Date }).seenUntil && time <= new Date(until)
  const isSince = (time: Date) => time > (watched as { seenUntil: Date }).seenUntil
  const { path } = kindNamed(search.kind)
  const list = await pagesOf(client, `/api/${path}?${search.query}&limit=500&timeZone=${ZONE}`)
  const expected = { new: [] as string[], changed: [] as string[] }
  for (const id of list.ids) {
    const record = all.get(id)
    if (!record || (isSince(record.lastActivityAt) && record.lastActivityBy === me)) continue
    if (isIn(record.createdAt) && (record.isImported || record.creatorId !== me)) expected.new.push(id)
    else if (isIn(record.lastActivityAt)) expected.changed.push(id)
  }
  return expected
}

/** Compares every number of a watcher and one list. Returns how many records were counted. */
async function compare(random: Random, watcher: Fellow): Promise<number> {
  const { until, searches } = await newsOf(watcher)
  const all = new Map((await test.db.select().from(records)).map((record) => [record.id, record]))
  let counted = 0
  for (const search of searches) {
    const expected = await recount(watcher, search, { until, all })
    const { news } = search
    expect({ query: search.query, new: news.new.count, changed: news.changed.count }).toEqual({
      ...{ query: search.query, new: expected.new.length, changed: expected.changed.length },
    })
    counted += news.new.count + news.changed.count
    const { path } = kindNamed(search.kind)
    if (random.chance(0.3)) {
      const list = `/api/${path}?${search.query}&cohort=${news.cohort}&limit=40&timeZone=${ZONE}`
      const { ids } = await pagesOf(watcher.client, list)
      expect({ query: search.query, ids: ids.toSorted() }).toEqual({
        ...{ query: search.query, ids: [...expected.new, ...expected.changed].sort() },
      })
    }
  }
  return counted
}

type World = { ids: Map<string, KindName>; merges: string[]; deleted: string[]; tag: string }

/** One act of a watcher, on records of the world. */
async function act(random: Random, world: World) {
  const { client, publicId } = random.one(watchers)
  const [id = '', kind = 'founder'] = random.one([...world.ids].slice(-30)) ?? []
  const { path } = kindNamed(kind)
  const chosen = random.below(24)
  // Without one where it was deleted, or merged: that is a redirect.
  const versionOf = async (address: string) => (await client.get(address)).body?.version
  if (world.ids.size < 6 || chosen < 5) {
    const of = random.one(kindNames)
    const address = of.name === 'founder' ? { linkedIn: `https://www.linkedin.com/in/n${random.below(1e6)}` } : {}
    const rating = random.between(1, 10)
    const form = { name: `Name ${random.below(1e6)}`, notes: 'n', rating, ...address }
    const { status, body } = await client.post(`/api/${of.path}`, form)
    expect([status, body?.error]).toEqual([201, undefined])
    world.ids.set(body.id, of.name)
  } else if (chosen < 6) {
    const of = random.one(kinds)
    const imported = { id: uuidv7(), info: null, isImported: true, creatorId: random.one(watchers).account.id }
    const fields = { name: 'Imported name', notes: 'n', rating: 5, ...(of.name === 'founder' && { linkedIn: '' }) }
    await insertRecords(test.db, of, [{ ...imported, fields }])
    world.ids.set(imported.id, of.name)
  } else if (chosen < 10) await client.post(`/api/notes/${kind}/${id}`, { content: 'A note' })
  else if (chosen < 12) await client.put(`/api/records/${id}/opinion`, { rating: random.between(1, 10) })
  else if (chosen < 13) await client.delete(`/api/records/${id}/opinion`)
  else if (chosen < 16) {
    const version = await versionOf(`/api/records/${id}/pipeline`)
    const [stage] = (await client.get('/api/stages')).body
    const step = { nextStep: 'Call', nextOn: new Date().toISOString().slice(0, 10) }
    const set = random.one([{ responsible: publicId }, { stage: random.one([stage.id, null]) }, step])
    if (version !== undefined) await client.put(`/api/records/${id}/pipeline`, { ...set, version })
  } else if (chosen < 18) await client.put(`/api/records/${id}/tags`, { tags: random.one([[world.tag], []]) })
  else if (chosen < 19) await client.post(`/api/records/${id}/finders`, {})
  else if (chosen < 20) {
    const version = await versionOf(`/api/${path}/${id}`)
    if (version !== undefined) await client.put(`/api/${path}/${id}`, { rating: random.between(1, 10), version })
  } else if (chosen < 21) {
    const other = random.one([...world.ids].filter(([, one]) => one === kind).slice(-30))?.[0] ?? id
    const pair = await Promise.all([id, other].map((one) => client.get(`/api/${path}/${one}`)))
    if (id === other || pair.some(({ status }) => status !== 200)) return
    const { status, body } = await merge(client, pair[0]?.body, pair[1]?.body)
    if (status === 200) world.merges.push(body.mergeId)
  } else if (chosen < 22) {
    const mergeId = world.merges.splice(random.below(world.merges.length || 1), 1)[0]
    if (mergeId !== undefined) await undo(client, mergeId)
  } else if (chosen < 23) {
    if ((await client.delete(`/api/${path}/${id}`)).status === 204) world.deleted.push(id)
  } else {
    const deleted = world.deleted.pop()
    if (deleted !== undefined) await client.post(`/api/programme/deleted/${deleted}/restore`, {})
  }
}
