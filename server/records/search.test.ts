import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, OpenDatabase } from '#server/db/database.ts'
import { founders } from '#server/db/schema.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import type { Place } from './paging.ts'
import { type Searched, searchNewest } from './search.ts'
import { fold, searchText } from './search-text.ts'

const SEARCHED: Searched = {
  table: founders,
  from: sql`${founders}`,
  placed: founders,
}

/** Enough that the newest rows alone do not answer a rare term. */
const COUNT = 4000
const WORDS = ['the', 'team', 'ships', 'rockets', 'and', 'soup', 'in', 'Łódź', 'with', '100%', 'C++', 'a_b', "don't"]
const RARE = [
  'back\\slash',
  'zxq',
  'qj',
  '李',
  '李明',
  '東京',
  '🚀',
  '‍👩‍💻',
  "o'neill",
  '|',
  "':*",
  '&',
  'ｆｕｌｌ',
  'Σίσυφος',
]

/** The same database, and how often it was asked. */
function counted(db: Database) {
  let asked = 0
  const watched = new Proxy(db, {
    get: (target, name) => {
      if (name === 'execute') asked += 1
      return Reflect.get(target, name)
    },
  })
  return { db: watched, asked: () => asked }
}

describe.each([
  // The index is asked once for all weeks, or for a few of them at a time.
  { pace: 'some 45 rows a week', everyMs: 40_000_000, asks: [1, 1] },
  { pace: 'some 360 rows a week', everyMs: 5_000_000, asks: [1, 1] },
  { pace: 'some 1,450 rows a week', everyMs: 1_250_000, asks: [1, 5] },
])('Searching a table of $pace', ({ everyMs, asks: [fewest, most] }) => {
  let database: OpenDatabase
  let rows: (Place & { text: string })[]
  beforeAll(async () => {
    database = await openTestDatabase()
    const now = Date.now()
    rows = Array.from({ length: COUNT }, (_, index) => {
      const words = Array.from({ length: 8 }, (_, place) => WORDS[(index * 7 + place * (index % 11)) % WORDS.length])
      // Rare words lie deep, some of them in rows of one and the same moment.
      const rare = index > 3000 && index % 40 === 0 ? [RARE[(index / 40) % RARE.length] as string] : []
      const middling = index % 5 === 0 ? ['harbour lights'] : []
      // Next to none among the newest, and then more than are counted.
      const sudden = index % 100 === 0 || (index > 600 && index % 3 === 0) ? ['quarry'] : []
      const createdAt = new Date(now - Math.floor(index / 3) * everyMs)
      return {
        id: uuidv7(),
        createdAt,
        text: searchText([[...words, ...middling, ...sudden, ...rare].join(' '), `n${index}`, '']),
      }
    })
    await database.db.execute(sql`
    insert into founders (id, name, linked_in, notes, rating, search_text, created_at)
    select id, 'x', 'x', 'x', 5, search_text, created_at
    from unnest(
      ${sql.param(rows.map(({ id }) => id))}::uuid[],
      ${sql.param(rows.map(({ text }) => text))}::text[],
      ${sql.param(rows.map(({ createdAt }) => createdAt.toISOString()))}::timestamptz[]
    ) as rows (id, search_text, created_at)`)
    rows.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
  })
  afterAll(() => database.close())

  const search = async (term: string, limit = 1001, after?: Place) => {
    const { places } = await searchNewest(database.db, SEARCHED, term, { limit, countTo: limit, after })
    return places
  }
  const idsOf = (places: Place[]) => places.map(({ id }) => id)
  const withTerm = (term: string) => rows.filter(({ text }) => text.includes(fold(term)))

  it.each([
    ...[
      't',
      'te',
      'the',
      'team',
      'TEAM s',
      'ships rockets',
      'soup in łódź',
      '100%',
      '%',
      '_',
      'c++',
      '+',
      "don't",
      ' ',
    ],
    ...RARE,
    ...[
      'qzq',
      'qz',
      'ß',
      'rockets ships with',
      'nothing of this kind',
      'harbour',
      'r light',
      'n3999',
      'n39',
      "'",
      '\\',
      '"',
      '!',
      '日',
    ],
    'the team ships rockets and soup in Łódź with 100% C++ a_b',
  ])('finds for %j the very rows that contain it, newest first', async (term) => {
    expect(idsOf(await search(term))).toEqual(idsOf(withTerm(term).slice(0, 1001)))
  })

  it.each(['team', '李', 'n3', 'qj'])('leads through all matches of %j page by page', async (term) => {
    const seen: Place[] = []
    for (let page = await search(term, 7); page.length > 0; page = await search(term, 7, seen.at(-1))) {
      seen.push(...page)
      if (seen.length > 70) break
    }
    expect(idsOf(seen)).toEqual(idsOf(withTerm(term).slice(0, seen.length)))
    expect(seen.length).toBe(Math.min(withTerm(term).length, 77))
  })

  it.each(
    ['the', 'harbour', 'ships rockets', 'quarry', 'qu', 'n3', 'qj', 'nothing of this kind'].flatMap((term) =>
      [7, 51, 300].flatMap((limit) => [300, 700, 1001].map((countTo) => ({ term, limit, countTo }))),
    ),
  )('shows $limit matches of $term and counts to $countTo', async ({ term, limit, countTo }) => {
    const wanted = { limit, countTo, after: undefined }
    const { places, matched } = await searchNewest(database.db, SEARCHED, term, wanted)
    expect(idsOf(places)).toEqual(idsOf(withTerm(term).slice(0, limit)))
    expect(matched).toBe(Math.min(withTerm(term).length, countTo))
  })

  it('searches only among the rows asked for', async () => {
    const half = withTerm('rockets').filter(({ text }) => text.includes('n1'))
    const searched = { ...SEARCHED, where: sql`${founders.searchText} like '%n1%'` }
    const { places } = await searchNewest(database.db, searched, 'rockets', {
      limit: 1001,
      countTo: 1001,
      after: undefined,
    })
    expect(idsOf(places)).toEqual(idsOf(half))
  })

  it('asks for as much of the index as should be enough, once a sample has told how common the term is', async () => {
    const { db, asked } = counted(database.db)
    const wanted = { limit: 51, countTo: 1001, after: undefined }
    await searchNewest(db, SEARCHED, 'nothing of this kind', wanted)
    const before = asked()
    const { matched } = await searchNewest(db, SEARCHED, 'harbour lights', wanted)
    expect(matched).toBe(COUNT / 5)
    expect(asked() - before).toBeGreaterThanOrEqual(fewest as number)
    expect(asked() - before).toBeLessThanOrEqual(most as number)
  })

  it('asks once for what the sample does not have', async () => {
    const { db, asked } = counted(database.db)
    const wanted = { limit: 51, countTo: 1001, after: undefined }
    await searchNewest(db, SEARCHED, 'the', wanted)
    const before = asked()
    expect(await searchNewest(db, SEARCHED, 'nothing of this kind', wanted)).toEqual({ places: [], matched: 0 })
    expect(asked() - before).toBe(1)
  })

  it.each(['the', 'harbour lights', 'qj', 'n39'])('finds of %j also what is newer than the sample', async (term) => {
    const wanted = { limit: 51, countTo: 1001, after: undefined }
    const before = await searchNewest(database.db, SEARCHED, term, wanted)
    const id = uuidv7()
    await database.db.execute(sql`
      insert into founders (id, name, linked_in, notes, rating, search_text, created_at)
      select ${id}::uuid, 'x', 'x', 'x', 5, ${fold(term)}::text, greatest(now(), max(created_at)) + interval '1 hour' from founders`)
    const { places, matched } = await searchNewest(database.db, SEARCHED, term, wanted)
    await database.db.execute(sql`delete from founders where id = ${id}::uuid`)
    expect(idsOf(places)).toEqual([id, ...idsOf(before.places)].slice(0, 51))
    expect(matched).toBe(Math.min(before.matched + 1, 1001))
  })

  it('asks a few times only, also where all matches are among the newest rows', async () => {
    const newest = rows.slice(0, 1100).map(({ id }) => id)
    await database.db.execute(sql`update founders set search_text = search_text || 'dense'
      where id = any (${sql.param(newest)}::uuid[])`)
    const { db, asked } = counted(database.db)
    const { places } = await searchNewest(db, SEARCHED, 'dense', { limit: 2000, countTo: 2000, after: undefined })
    expect(idsOf(places)).toEqual(newest)
    expect(asked()).toBeLessThan(6)
  })
})
