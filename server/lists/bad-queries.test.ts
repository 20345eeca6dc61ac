import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExportFormat } from '#contract/export.ts'
import { sortNames } from '#contract/record.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { kinds } from '#server/kinds.ts'
import { nextOf } from '#server/records/test/list-world.ts'
import { everyCall, makeWorld } from '#server/test/calls.ts'
import { signCohort } from '#server/test/cohorts.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { myCohort } from './cohorts/figures.ts'

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000001'
const RATINGS = ['', '0', '11', '05', '1.5', '1e1', '-1', '٣', 'x']
const DAYS = [
  ...['', 'today', '2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '10000-01-01', '-000001-01-01'],
  ...['2026-01-01T00:00:00Z', '20260101', '2026-01-01 '],
]
const IDS = ['', 'x', `${UNKNOWN_ID}0`, 'None', 'Met']
const TEXTS = ['\0', 'a'.repeat(201)]

/** Values that each parameter of a list refuses. A parameter without an entry fails the test. */
const REFUSED: Record<string, string[]> = {
  ...{
    search: TEXTS,
    industry: TEXTS,
    place: TEXTS,
    linkedIn: ['\0', 'a'.repeat(2049)],
    website: ['\0', 'a'.repeat(2049)],
  },
  ...{ limit: ['', '0', '501', '1.5', '-1', '1e2', ' 1', 'x'], cursor: ['', 'nonsense', '\0', '[]', 'a'.repeat(201)] },
  ...{ in: ['', 'other', 'Similar'], mine: ['', 'yes', 'TRUE', '1'], hasNotes: ['', 'yes', 'TRUE', '0'] },
  by: ['', 'x', `${UNKNOWN_ID}0`, 'none', 'ada@mit.edu'],
  ...{ ratingMin: RATINGS, ratingMax: RATINGS, addedAfter: DAYS, addedBefore: DAYS, quietSince: DAYS },
  ...{ stage: IDS, responsible: IDS, reached: [...IDS, 'none'], status: ['', 'Active', 'won', 'none'] },
  timeZone: ['', 'Mars/Base', '+01:00', '\0', 'a'.repeat(1000)],
  ...{ next: ['', 'soon', 'today'], quality: ['', 'unrated', 'none'] },
  ...{ tag: [...IDS, 'none'], opinion: ['', 'given', 'true'] },
  cohort: ['', 'x', '\0', 'nonsense', '!'.repeat(20), 'a'.repeat(201)],
  sort: ['', 'oldest', 'Rating', 'stageage', 'constructor'],
}

/** A value of each filter and sort that shows the two records of the test. */
const SHOWN: Record<string, string> = {
  ...{ search: 'ada', mine: 'true', hasNotes: 'true', sort: 'rating', ratingMin: '4', ratingMax: '6' },
  ...{
    addedAfter: '2020-01-01',
    addedBefore: '9999-12-31',
    quietSince: '9999-12-31',
    industry: 'water',
    place: 'oslo',
  },
  ...{ linkedIn: 'https://linkedin.com/in/ada', website: 'https://ada.example' },
  ...{ status: 'active', next: 'due', quality: 'overdue', opinion: 'missing', timeZone: 'UTC' },
}

/** Filters whose values are made with the records. */
const OF_THE_WORLD = ['by', 'responsible', 'stage', 'reached', 'tag', 'cohort']

const MAKE = {
  founder: (db: TestApp['db'], creator: Account) =>
    makeFounder(db, { creator, name: 'Ada', linkedIn: 'https://linkedin.com/in/ada' }),
  company: (db: TestApp['db'], creator: Account) =>
    makeCompany(db, {
      creator,
      name: 'Ada',
      website: 'https://ada.example',
      enrichment: { industry: 'Water', headquarters: 'Oslo' },
    }),
}

let test: TestApp
let client: TestClient
let me: Account
beforeAll(async () => {
  test = await startTestApp()
  ;({ client, account: me } = await fellowOf(test, { role: 'manager' }))
  const { body } = await client.get(`/api/fellows?search=${me.email}`)
  const [stage] = (await client.get('/api/stages')).body
  Object.assign(SHOWN, { by: body[0].id, responsible: body[0].id, stage: stage.id, reached: stage.id })
  const other = await fellowOf(test)
  const tag = (await client.post('/api/tags', { name: 'Climate' })).body.id
  Object.assign(SHOWN, { tag, cohort: await signCohort(test.db, me, myCohort, 'all') })
  for (const kind of kinds)
    for (let count = 0; count < 2; count += 1) {
      const { id } = await MAKE[kind.name](test.db, me)
      await makeNote(test.db, { [kind.name]: id, author: me })
      await client.put(`/api/records/${id}/pipeline`, {
        ...{ stage: stage.id, responsible: body[0].id, nextOn: new Date().toISOString().slice(0, 10), version: 0 },
      })
      await client.put(`/api/records/${id}/tags`, { tags: [tag] })
      await other.client.put(`/api/records/${id}/opinion`, { rating: 5 })
    }
  await test.db.execute(sql`update stages set limit_days = 1`)
  await test.db.execute(sql`update records set stage_since = stage_since - interval '2 days'`)
})
afterAll(() => test.close())

const refusalOf = async (url: string) => {
  const { status, body } = await client.get(url)
  return [url.slice(0, 200), status, Object.keys(body.fields ?? {})]
}
const refusedAt = (url: string, field: string) => [url.slice(0, 200), 400, [field]]
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

describe.each(kinds.map((kind) => [kind.path, kind] as const))('The query of %s', (path, kind) => {
  const parameters = Object.keys(kind.contract.ListQuery.shape)
  const others = kinds.flatMap(({ contract }) => Object.keys(contract.ListQuery.shape))
  /** Each call that takes a list, with what its query needs. An export has no pages and no search beyond the exact one. */
  const callsWith = (name: string) => [
    `/api/${path}?`,
    ...(['search', 'in', 'cursor'].includes(name) ? [] : [`/api/${path}?search=ada&in=similar&`]),
    ...(['limit', 'in', 'cursor'].includes(name)
      ? []
      : ExportFormat.options.map((format) => `/api/${path}/export?format=${format}&`)),
  ]

  it.each(parameters)('is 400 at %s for a value that it refuses', async (name) => {
    expect(REFUSED[name]).toBeDefined()
    for (const call of callsWith(name))
      for (const value of REFUSED[name] ?? []) {
        const url = `${call}${query({ [name]: value })}`
        expect(await refusalOf(url)).toEqual(refusedAt(url, name))
      }
  })

  it.each(parameters)('is 400 at %s when it is given twice, also with the same value', async (name) => {
    const value = query({ [name]: SHOWN[name] ?? { limit: '5', in: 'similar', cursor: 'x' }[name] ?? '' })
    for (const call of callsWith(name)) {
      const url = `${call}${value}&${value}`
      expect(await refusalOf(url)).toEqual(refusedAt(url, name))
    }
  })

  it.each(others.filter((name) => !parameters.includes(name)))(
    'is 400 at %s, a filter of another kind',
    async (name) => {
      for (const call of callsWith(name)) {
        const url = `${call}${query({ [name]: SHOWN[name] as string })}`
        expect(await refusalOf(url)).toEqual(refusedAt(url, name))
      }
    },
  )

  it.each(['limit', 'cursor', 'in'])('of an export is 400 at %s', async (name) => {
    const url = `/api/${path}/export?${query({ [name]: { limit: '5', cursor: 'x', in: 'similar' }[name] as string })}`
    expect(await refusalOf(url)).toEqual(refusedAt(url, name))
  })

  it.each(parameters.filter((name) => name in SHOWN || OF_THE_WORLD.includes(name)))(
    'is 400 for a cursor of a list with another %s',
    { tags: 'slow' },
    async (name) => {
      const plain = `/api/${path}?limit=1`
      const narrowed = `${plain}&${query({ [name]: SHOWN[name] as string })}`
      const cursorIn = async (url: string) => {
        const { headers } = await client.get(url)
        return new URL(nextOf(headers.link) as string, 'http://x').searchParams.get('cursor') as string
      }
      const [ofPlain, ofNarrowed] = [await cursorIn(plain), await cursorIn(narrowed)]
      expect((await client.get(`${narrowed}&cursor=${ofNarrowed}`)).body).toHaveLength(1)
      for (const url of [
        `${narrowed}&cursor=${ofPlain}`,
        `${plain}&cursor=${ofNarrowed}`,
        `/api/${kinds.find((other) => other !== kind)?.path}?limit=1&cursor=${ofPlain}`,
      ])
        expect(await refusalOf(url)).toEqual(refusedAt(url, 'cursor'))
    },
  )

  it.each(['mentions', 'similar', 'all'])('is 400 with in=%s without a term, or with a cursor', async (place) => {
    for (const [more, field] of [
      ['', 'search'],
      ['&search=', 'search'],
      ['&search=%20', 'search'],
      ['&ratingMin=3', 'search'],
      ['&search=ada&cursor=x', 'cursor'],
    ] as const) {
      const url = `/api/${path}?in=${place}${more}`
      expect(await refusalOf(url)).toEqual(refusedAt(url, field))
    }
  })

  it.each([
    `by=${UNKNOWN_ID}`,
    `stage=${UNKNOWN_ID}`,
    `reached=${UNKNOWN_ID}`,
    `responsible=${UNKNOWN_ID}`,
    'status=advanced',
    'next=late',
    'ratingMin=6&ratingMax=4',
    'addedAfter=2026-03-02&addedBefore=2026-03-01',
    'addedAfter=9999-12-31',
    'addedBefore=0001-01-01',
    `${kind.lookup.field}=${encodeURIComponent('not an address')}`,
    `${kind.lookup.field}=`,
  ])('with %s shows nothing', { tags: 'slow' }, async (parameters) => {
    for (const sort of sortNames) {
      const { status, body, headers } = await client.get(`/api/${path}?${parameters}&sort=${sort}`)
      expect([status, body, headers['x-total-count']]).toEqual([200, [], '0'])
    }
    for (const place of ['mentions', 'similar', 'all'])
      expect((await client.get(`/api/${path}?${parameters}&search=ada&in=${place}`)).body).toEqual([])
  })
})

it('Every call with pages is 400 at cursor for one that it did not write', { tags: 'slow' }, async () => {
  const { about } = await makeWorld(test.db, me)
  const { headers } = await client.get('/api/founders?limit=1&mine=true')
  const foreign = /cursor=([^&>]+)/.exec(String(headers.link))?.[1] as string
  const paged = (await everyCall(client)).filter(({ operation }) =>
    operation.parameters?.some((parameter) => parameter.in === 'query' && parameter.name === 'cursor'),
  )
  expect(paged.length).toBeGreaterThan(5)
  for (const call of paged)
    for (const cursor of ['x', foreign]) {
      const url = about(call)
      const full = `${url}${url.includes('?') ? '&' : '?'}limit=2&cursor=${cursor}`
      expect(await refusalOf(full)).toEqual(refusedAt(full, 'cursor'))
    }
})
