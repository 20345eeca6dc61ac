import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COHORT_RULE } from '#contract/filter-shapes.ts'
import { type KindName, kindNamed, kinds as kindNames } from '#contract/kinds.ts'
import { SINCE_COUNT_MAX } from '#contract/limits.ts'
import type { Since, SinceCount } from '#contract/since.ts'
import { type SinceKey, sinceKeys } from '#contract/since-keys.ts'
import { type Act, beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import { accounts, assignments, records } from '#server/db/schema.ts'
import { kinds } from '#server/kinds.ts'
import { addedSince } from '#server/lists/cohorts/since.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { pagesOf } from '#server/records/test/list-world.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { signCohort } from '#server/test/cohorts.ts'
import { makeCompany, makeFounder, makeImport } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { type Random, randomFrom } from '../../scripts/seed/random.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>> & { publicId: string }
let fellows: Fellow[]
/** An import with notes. */
let imported: string
beforeAll(async () => {
  test = await startTestApp()
  fellows = await Promise.all(
    [1, 2, 3].map(async () => {
      const fellow = await fellowOf(test, { role: 'manager' })
      const [row] = await test.db.select().from(accounts).where(eq(accounts.id, fellow.account.id))
      return { ...fellow, publicId: row?.publicId ?? '' }
    }),
  )
  imported = (await makeImport(test.db, { importer: (fellows[0] as Fellow).account })).id
})
afterAll(() => test.close())

/** `npm run test:long -- measured` does the larger number. */
const EVENTS = process.env.LONG ? 1_000 : 200

const sinceOf = async ({ client }: Fellow): Promise<Since> => (await client.get('/api/since')).body
const seen = async ({ client }: Fellow, key: SinceKey, until: string) =>
  expect((await client.post(`/api/since/${key}/seen`, { until })).status).toBe(204)
const listed = async ({ client }: Fellow, kind: KindName, cohort: string) =>
  (await pagesOf(client, `/api/${kindNamed(kind).path}?cohort=${cohort}&limit=40`)).ids

/** What should be new of a kind after one time and until another, from the whole table. */
async function recount(name: KindName, { account: { id: me } }: Fellow, [from, until]: [Date, Date]) {
  const added = (await test.db.select().from(records)).filter(
    ({ kind, createdAt, isImported, creatorId }) =>
      kind === name && createdAt > from && createdAt <= until && !isImported && creatorId !== me,
  )
  return new Set(added.map(({ id }) => id))
}

/** From a cohort, which says its span. */
const spanOf = (cohort: string): [Date, Date] => {
  const [, from, until] = JSON.parse(Buffer.from(cohort.split('.')[0] ?? '', 'base64url').toString())
  return [new Date(from), new Date(until)]
}

/** Compares every number of a fellow, and the list behind it, with a recount. Returns how many were counted. */
async function compare(fellow: Fellow): Promise<number> {
  const since = await sinceOf(fellow)
  let counted = 0
  for (const key of sinceKeys) {
    for (const [kind, { cohort, ...number }] of Object.entries(since[key] as Record<string, SinceCount>)) {
      const name = kind as KindName
      const expected = await recount(name, fellow, spanOf(cohort))
      expect({ key, kind, ...number }).toEqual({
        ...{ key, kind },
        count: Math.min(expected.size, SINCE_COUNT_MAX),
        hasMore: expected.size > SINCE_COUNT_MAX,
      })
      const ids = await listed(fellow, name, cohort)
      expect({ key, kind, ids: ids.toSorted() }).toEqual({ key, kind, ids: [...expected].sort() })
      counted += expected.size
    }
  }
  return counted
}

/** One event by one of the fellows, on records of the world. */
async function act(random: Random, world: { ids: Map<string, KindName>; merges: string[]; deleted: string[] }) {
  const fellow = random.one(fellows)
  const { client } = fellow
  const [id = '', kind = 'founder'] = random.one([...world.ids].slice(-60)) ?? []
  const { path } = kindNamed(kind)
  const chosen = random.below(13)
  if (world.ids.size < 4 || chosen < 3) {
    const of = random.one(kindNames)
    const address = of.name === 'founder' ? { linkedIn: `https://www.linkedin.com/in/n${random.below(1e6)}` } : {}
    const { body } = await client.post(`/api/${of.path}`, { name: `Name ${random.below(1e6)}`, notes: 'n', ...address })
    world.ids.set(body.id, of.name)
  } else if (chosen < 4) {
    const of = random.one(kinds)
    const imported = { id: uuidv7(), info: null, isImported: true, creatorId: random.one(fellows).account.id }
    const fields = { name: 'Imported', notes: 'n', rating: 5, ...(of.name === 'founder' && { linkedIn: '' }) }
    await insertRecords(test.db, of, [{ ...imported, fields }])
    world.ids.set(imported.id, of.name)
  } else if (chosen < 8) {
    const other = random.one([...world.ids].filter(([, one]) => one === kind).slice(-60))?.[0] ?? id
    const pair = await Promise.all([id, other].map((one) => client.get(`/api/${path}/${one}`)))
    if (id === other || pair.some(({ status }) => status !== 200)) return
    const { status, body } = await merge(client, pair[0]?.body, pair[1]?.body)
    if (status === 200) world.merges.push(body.mergeId)
  } else if (chosen < 10) {
    const mergeId = world.merges.splice(random.below(world.merges.length || 1), 1)[0]
    if (mergeId !== undefined) await undo(client, mergeId)
  } else if (chosen < 12) {
    if ((await client.delete(`/api/${path}/${id}`)).status === 204) world.deleted.push(id)
  } else {
    const deleted = world.deleted.pop()
    if (deleted !== undefined) await client.post(`/api/programme/deleted/${deleted}/restore`, {})
  }
}

describe('Since you were last here', () => {
  it('counts nothing for a new account, what others add by hand, and no import', async () => {
    const [fellow, other] = [await newFellow(), fellows[0] as Fellow]
    const before = await sinceOf(fellow)
    expect(sinceKeys.flatMap((key) => Object.values(before[key]).map((number) => number?.count))).toEqual([0, 0])
    await makeFounder(test.db, { creator: fellow.account })
    await makeFounder(test.db, { creator: other.account })
    await expect.poll(async () => (await sinceOf(fellow)).founders.founder?.count).toBe(1)
    expect((await sinceOf(fellow)).companies.company?.count).toBe(0)
  })

  it('clears one number when its list was opened, up to what was counted', { tags: 'slow' }, async () => {
    const [fellow, other] = [await newFellow(), fellows[0] as Fellow]
    const counts = async () => {
      const { founders, companies } = await sinceOf(fellow)
      return [founders.founder?.count, companies.company?.count]
    }
    await makeFounder(test.db, { creator: other.account })
    await makeCompany(test.db, { creator: other.account })
    await expect.poll(counts).toEqual([1, 1])
    const { until } = await sinceOf(fellow)
    await makeFounder(test.db, { creator: other.account })
    await seen(fellow, 'founders', until)
    await expect.poll(counts).toEqual([1, 1])
    await seen(fellow, 'founders', (await sinceOf(fellow)).until)
    expect(await counts()).toEqual([0, 1])
    // An older time brings nothing back, and a later one than now hides nothing that comes.
    await seen(fellow, 'founders', '2020-01-01T00:00:00.000Z')
    expect(await counts()).toEqual([0, 1])
    await seen(fellow, 'founders', '2100-01-01T00:00:00.000Z')
    expect(await counts()).toEqual([0, 1])
    await makeFounder(test.db, { creator: other.account })
    await expect.poll(counts).toEqual([1, 1])
  })

  it('misses nothing of a transaction that is still running', async () => {
    const [fellow, other] = [await newFellow(), fellows[0] as Fellow]
    await test.db.transaction(async (tx) => {
      await makeFounder(tx, { creator: other.account })
      await seen(fellow, 'founders', (await sinceOf(fellow)).until)
    })
    await expect.poll(async () => (await sinceOf(fellow)).founders.founder?.count).toBe(1)
  })

  it('is 401 signed out, 404 for another key and 400 for no time', async () => {
    const [{ client }] = fellows as [Fellow]
    expect((await test.visitor().get('/api/since')).status).toBe(401)
    const until = new Date().toISOString()
    const answers = await Promise.all([
      client.post('/api/since/others/seen', { until }),
      client.post('/api/since/founders/seen', { until: 'soon' }),
    ])
    expect(answers.map(({ status, body }) => [status, Object.keys(body.fields ?? {})])).toEqual([
      [404, []],
      [400, ['until']],
    ])
  })

  it('equals a recount after any events, and each list has exactly the counted records', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const random = randomFrom('since')
    const world = { ids: new Map<string, KindName>(), merges: [], deleted: [] }
    let counted = 0
    for (let event = 1; event <= EVENTS; event += 1) {
      await act(random, world)
      if (event % 50 > 0) continue
      const fellow = random.one(fellows)
      counted += await compare(fellow)
      const { until } = await sinceOf(fellow)
      if (event < EVENTS * 0.6) await seen(fellow, random.one(sinceKeys), until)
    }
    for (const fellow of fellows) counted += await compare(fellow)
    expect(counted).toBeGreaterThan(100)
  })

  it('shows each new record once, while others add at the same time', { tags: 'slow' }, async () => {
    const reader = await newFellow()
    const [one, other] = fellows as [Fellow, Fellow]
    const added: string[] = []
    let isDone = false
    const add = async (by: Fellow) => {
      for (let count = 0; count < 25; count += 1) {
        added.push((await makeFounder(test.db, { creator: by.account })).id)
      }
    }
    const adding = Promise.all([add(one), add(other), add(one)]).then(() => {
      isDone = true
    })
    const shown: string[] = []
    const readOnce = async () => {
      const { until, founders } = await sinceOf(reader)
      shown.push(...(await listed(reader, 'founder', founders.founder?.cohort ?? '')))
      await seen(reader, 'founders', until)
    }
    while (!isDone) await readOnce()
    await adding
    await expect
      .poll(async () => {
        await readOnce()
        return shown.length
      })
      .toBeGreaterThanOrEqual(added.length)
    expect(shown.toSorted()).toEqual(added.toSorted())
  })
})

describe('A record that a fellow is made responsible for', () => {
  const assigned = (id: string) => test.db.select().from(assignments).where(eq(assignments.recordId, id))

  it('is assigned by a person, and by no merge or undo that brings the fellow along', async () => {
    const [one, other] = fellows as [Fellow, Fellow]
    const [survivor, duplicate] = [
      await makeFounder(test.db, { creator: one.account }),
      await makeFounder(test.db, { creator: one.account }),
    ]
    const input = { responsible: other.publicId, version: 0 }
    await one.client.put(`/api/records/${duplicate.id}/pipeline`, input)
    expect(await assigned(duplicate.id)).toMatchObject([{ accountId: other.account.id, assignedBy: one.account.id }])
    const loaded = async ({ id }: { id: string }) => (await one.client.get(`/api/founders/${id}`)).body
    const { body } = await merge(one.client, await loaded(survivor), await loaded(duplicate))
    expect((await loaded(survivor)).pipeline.responsible.id).toBe(other.publicId)
    await undo(one.client, body.mergeId)
    expect(await assigned(survivor.id)).toEqual([])
  })

  it('is assigned by an import in place of an earlier assignment', async () => {
    const [one, other] = fellows as [Fellow, Fellow]
    const { id } = await makeFounder(test.db, { creator: one.account })
    const give = (responsibleId: string | null, act: Act) =>
      withActor(test.db, one.account, async (tx) => {
        await beginAct(tx, one.account, act)
        await tx.update(records).set({ responsibleId }).where(eq(records.id, id))
      })
    await give(other.account.id, {})
    await give(null, {})
    expect(await assigned(id)).toHaveLength(1)
    await give(other.account.id, importAct(imported))
    expect(await assigned(id)).toMatchObject([{ accountId: other.account.id, isImported: true, actId: imported }])
  })
})

describe('The filter cohort', () => {
  it('is that of the caller alone', async () => {
    const [fellow, other] = [await newFellow(), await newFellow()]
    const { id } = await makeFounder(test.db, { creator: other.account })
    await expect.poll(async () => (await sinceOf(fellow)).founders.founder?.count).toBe(1)
    const { cohort } = (await sinceOf(fellow)).founders.founder as { cohort: string }
    expect(await listed(fellow, 'founder', cohort)).toEqual([id])
    const { status, body } = await other.client.get(`/api/founders?cohort=${cohort}`)
    expect([status, body.fields]).toEqual([400, { cohort: COHORT_RULE }])
  })

  it.each([
    ['nothing', ''],
    ['text', 'x'],
    ['no signature', encode(['added', 1, 2])],
    ['another signature', `${encode(['added', 1, 2])}.${'a'.repeat(43)}`],
    ['a long one', `${'x'.repeat(201)}.${'a'.repeat(43)}`],
  ])('is refused with %s, in a sentence', async (_what, cohort) => {
    const [{ client }] = fellows as [Fellow]
    const { status, body } = await client.get(`/api/founders?cohort=${encodeURIComponent(cohort)}`)
    expect([status, body.fields]).toEqual([400, { cohort: COHORT_RULE }])
  })

  it.each([
    ['an unknown name', 'others', [1, 2]],
    ['too few parameters', 'added', [1]],
    ['too many parameters', 'added', [1, 2, 3]],
    ['other parameters', 'added', ['1', 2]],
    ['a time that does not exist', 'added', [1, 1e18]],
    ['one of an earlier version', 'noted', [1, 2]],
  ])('is refused with %s, also when it is signed', async (_what, name, params) => {
    const [{ client, account }] = fellows as [Fellow]
    const cohort = await signCohort(test.db, account, { name }, ...params)
    const { status, body } = await client.get(`/api/founders?cohort=${cohort}`)
    expect([status, body.fields]).toEqual([400, { cohort: COHORT_RULE }])
    const right = await signCohort(test.db, account, addedSince, 1, 2)
    expect((await client.get(`/api/founders?cohort=${right}`)).status).toBe(200)
    expect((await client.get(`/api/founders?cohort=${right}%3D`)).status).toBe(400)
  })
})

function encode(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

async function newFellow(): Promise<Fellow> {
  return { ...(await fellowOf(test)), publicId: '' }
}
