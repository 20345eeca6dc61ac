import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

/** A record as the test knows it, apart from the statements of lists. */
type Known = {
  id: string
  name: string
  rating: number | null
  createdAt: string
  lastNoteAt: string
  industry: string | null
  place: string | null
  finders: string[]
  mine: boolean
}

const KINDS = [
  { kind: 'founder', path: '/api/founders', make: makeFounder },
  { kind: 'company', path: '/api/companies', make: makeCompany },
] as const
const COUNT = 60
const INDUSTRIES = ['Énergie', 'ÉNERGIE', 'Water', undefined]
const PLACES = [{ city: 'Köln' }, 'KÖLN', { city: 'Oslo', address_formatted: 'Oslo, Norway' }, undefined]

let test: TestApp
let clients: TestClient[]
let fellows: { id: string; publicId: string }[]
let worlds: Map<string, Known[]>
const clientAt = (index: number) => clients[index % 3] as TestClient
const caller = () => clientAt(0)
const fellowAt = (index: number) => fellows[index] as (typeof fellows)[number]
beforeAll(async () => {
  test = await startTestApp()
  const made = [await fellowOf(test), await fellowOf(test), await fellowOf(test)]
  clients = made.map(({ client }) => client)
  const publicIds = await rowsOf<{ id: string; publicId: string }>(
    test.db,
    sql`select id, public_id as "publicId" from accounts`,
  )
  fellows = made.map(({ account }) => publicIds.find(({ id }) => id === account.id) as (typeof publicIds)[number])
  for (const { kind, path, make } of KINDS) {
    for (let index = 0; index < COUNT; index += 1) {
      const { id } = await make(test.db, {
        creator: (made[index % 3] as (typeof made)[number]).account,
        name: `Name ${index % 7}`,
        rating: ((index * 7) % 10) + 1,
        createdAt: new Date(Date.UTC(2026, 0, 1 + (index % 9), index % 2 ? 23 : 0, 59)),
        ...(kind === 'company' && {
          enrichment: JSON.parse(
            JSON.stringify({ industry: INDUSTRIES[index % 4], headquarters: PLACES[(index >> 1) % 4] }),
          ),
        }),
      })
      for (let note = 0; note < (index * 5) % 4; note += 1) {
        const author = (made[(index + note) % 3] as (typeof made)[number]).account
        const { body } = await clientAt(index + note).post(`/api/notes/${kind}/${id}`, {
          content: `Note ${author.name}`,
        })
        if (note === 2) await clientAt(index + note).delete(`/api/notes/${body.id}`)
      }
      if (index % 5 === 0) await clientAt(index + 1).post(`/api/records/${id}/finders`, {})
      if (index % 6 === 0) await test.db.execute(sql`update records set is_rated = false, rating = 5 where id = ${id}`)
    }
    // Merges, some of them undone, so that notes and finders move.
    const { body } = await caller().get(`${path}?limit=12`)
    for (let pair = 0; pair < 6; pair += 1) {
      const [one, other] = [body[2 * pair], body[2 * pair + 1]]
      const versions = { [one.id]: one.version, [other.id]: other.version }
      const merged = await caller().post('/api/records/merge', {
        survivorId: one.id,
        duplicateId: other.id,
        versions,
      })
      expect(merged.status).toBe(200)
      if (pair % 2 === 0) {
        const undone = await caller().post(`/api/merges/${merged.body.mergeId}/undo`, {})
        expect(undone.status).toBe(200)
      }
    }
  }
  worlds = new Map()
  for (const { kind } of KINDS) worlds.set(kind, await knownOf(kind))
})
afterAll(() => test.close())

/** Read with the simplest statements. */
async function knownOf(kind: string): Promise<Known[]> {
  const rows = await rowsOf<Known & { members: string[] }>(
    test.db,
    sql`select id, name, case when is_rated then rating::int end as rating, created_at::text as "createdAt",
        coalesce((select max(created_at) from notes where record_id = records.id)::text, '') as "lastNoteAt",
        additional_info ->> 'industry' as industry,
        coalesce(additional_info -> 'headquarters' ->> 'city', additional_info ->> 'headquarters') as place,
        array(select account_id::text from record_members where record_id = records.id) as members
      from records where kind = ${kind}`,
  )
  const known: Known[] = []
  for (const { members, ...row } of rows) {
    const { body } = await caller().get(`/api/records/${row.id}/finders`)
    const finders = body.map(({ fellow }: { fellow: { id: string } }) => fellow.id)
    known.push({ ...row, finders, mine: members.includes(fellowAt(0).id) })
  }
  return known
}

const FILTERS: [name: string, parameters: () => Record<string, string>, shows: (record: Known) => boolean][] = [
  ['none', () => ({}), () => true],
  ['by', () => ({ by: fellowAt(1).publicId }), ({ finders }) => finders.includes(fellowAt(1).publicId)],
  ['by an unknown id', () => ({ by: '01900000-0000-7000-8000-000000000001' }), () => false],
  ['ratingMin', () => ({ ratingMin: '7' }), ({ rating }) => rating !== null && rating >= 7],
  ['ratingMax', () => ({ ratingMax: '5' }), ({ rating }) => rating !== null && rating <= 5],
  ['both ratings', () => ({ ratingMin: '4', ratingMax: '6' }), ({ rating }) => [4, 5, 6].includes(rating ?? 0)],
  ['no rating', () => ({ ratingMin: '6', ratingMax: '4' }), () => false],
  ['addedAfter', () => ({ addedAfter: '2026-01-05' }), ({ createdAt }) => createdAt >= '2026-01-05'],
  ['addedBefore', () => ({ addedBefore: '2026-01-05' }), ({ createdAt }) => createdAt < '2026-01-06'],
  [
    'one day',
    () => ({ addedAfter: '2026-01-05', addedBefore: '2026-01-05' }),
    (record) => record.createdAt.startsWith('2026-01-05'),
  ],
  ['hasNotes', () => ({ hasNotes: 'true' }), ({ lastNoteAt }) => lastNoteAt !== ''],
  ['no notes', () => ({ hasNotes: 'false' }), ({ lastNoteAt }) => lastNoteAt === ''],
  ['mine', () => ({ mine: 'true' }), ({ mine }) => mine],
  ['search', () => ({ search: 'NAME 3' }), ({ name }) => name === 'Name 3'],
]
const OF_COMPANIES: typeof FILTERS = [
  ['industry', () => ({ industry: 'éNERGIE' }), ({ industry }) => industry?.toLowerCase() === 'énergie'],
  ['place', () => ({ place: 'köln' }), ({ place }) => place?.toLowerCase() === 'köln'],
  ['a part of an industry', () => ({ industry: 'Wat' }), () => false],
]

const SORTS: Record<string, (record: Known) => (string | number)[]> = {
  newest: () => [],
  rating: ({ rating }) => [rating ?? 0],
  lastNote: ({ lastNoteAt }) => [lastNoteAt],
}

function inOrder(known: Known[], sort: string): string[] {
  const keyOf = (record: Known) => [...(SORTS[sort]?.(record) ?? []), record.createdAt, record.id]
  const compare = (a: Known, b: Known) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    const at = one.findIndex((value, index) => value !== other[index])
    return at === -1 ? 0 : (one[at] as string) < (other[at] as string) ? 1 : -1
  }
  return known.toSorted(compare).map(({ id }) => id)
}

async function pagesOf(path: string): Promise<{ ids: string[]; totals: (string | undefined)[] }> {
  const [ids, totals]: [string[], (string | undefined)[]] = [[], []]
  for (let next: string | undefined = path; next !== undefined && totals.length < 99; ) {
    const answer = await caller().get(next)
    expect([next, answer.status]).toEqual([next, 200])
    ids.push(...answer.body.map(({ id }: { id: string }) => id))
    totals.push(answer.headers['x-total-count'] as string | undefined)
    next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
  }
  return { ids, totals }
}

describe.each(KINDS)('A list of records: $kind', ({ kind, path }) => {
  const filters = kind === 'company' ? [...FILTERS, ...OF_COMPANIES] : FILTERS

  it.each(Object.keys(SORTS))(
    'shows in the order of %s what each filter and each pair of filters show, page by page',
    async (sort) => {
      const known = worlds.get(kind) as Known[]
      for (const [index, [one, parameters, shows]] of filters.entries()) {
        // The smallest pages with one filter, and each pair with one page size.
        for (const [other, more, showsToo] of filters.slice(index)) {
          const all = { ...parameters(), ...more(), sort, limit: one === other ? '7' : '23' }
          if (
            Object.keys({ ...parameters(), ...more() }).length <
              Object.keys(parameters()).length + Object.keys(more()).length &&
            one !== other
          )
            continue
          const { ids, totals } = await pagesOf(`${path}?${new URLSearchParams(all)}`)
          const expected = inOrder(
            known.filter((record) => shows(record) && showsToo(record)),
            sort,
          )
          expect({ one, other, ids }).toEqual({ one, other, ids: expected })
          if (totals.length === 1) expect([one, other, totals[0]]).toEqual([one, other, String(expected.length)])
        }
      }
    },
  )

  it('says how many records a filter shows: the number seen and a plus while there are more', async () => {
    const first = await caller().get(`${path}?addedAfter=2026-01-01&limit=5`)
    expect(first.headers['x-total-count']).toBe('5+')
  })

  it('names the finders of each record, and whether the caller is one', async () => {
    const known = worlds.get(kind) as Known[]
    const { body } = await caller().get(`${path}?limit=500`)
    const names = new Map(
      await rowsOf<{ public_id: string; name: string }>(test.db, sql`select public_id, name from accounts`).then(
        (rows) => rows.map(({ public_id, name }) => [public_id, name]),
      ),
    )
    for (const record of body) {
      const { finders } = known.find(({ id }) => id === record.id) as Known
      const expected = {
        names: finders.slice(0, 3).map((id) => names.get(id)),
        count: finders.length,
        mine: finders.includes(fellowAt(0).publicId),
      }
      expect(record.finders).toEqual(expected)
      expect((await caller().get(`${path}/${record.id}`)).body.finders).toEqual(expected)
    }
    expect(body.some(({ finders }: { finders: { count: number } }) => finders.count > 1)).toBe(true)
  })

  it.each([
    ['by=x', 'by'],
    ['ratingMin=0', 'ratingMin'],
    ['ratingMax=11', 'ratingMax'],
    ['ratingMin=1.5', 'ratingMin'],
    ['addedAfter=2026-02-30', 'addedAfter'],
    ['addedBefore=2026-1-1', 'addedBefore'],
    ['addedAfter=0000-01-01', 'addedAfter'],
    ['hasNotes=yes', 'hasNotes'],
    ['sort=oldest', 'sort'],
    ['sort=rating&sort=rating', 'sort'],
    ['ratingMin=3&ratingMin=3', 'ratingMin'],
    ...(kind === 'founder' ? [['place=Oslo', 'place']] : []),
  ])('returns 400 at its field for %s', async (query, field) => {
    for (const call of [path, `${path}/export`]) {
      const { status, body } = await caller().get(`${call}?${query}`)
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
    }
  })

  it.each(['addedBefore=9999-12-31', 'addedAfter=0001-01-01'])('takes %s', async (query) => {
    const { status, body } = await caller().get(`${path}?${query}&limit=1`)
    expect([status, body.length]).toEqual([200, 1])
  })
})
