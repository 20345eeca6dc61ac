import { inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { newest, type Position } from '#server/records/cursor.ts'
import { searchable, searchText } from '#server/records/write/search-text.ts'
import { makeAccount } from '#server/test/factories.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import type { RecordQuery } from './query.ts'
import { searchRecords } from './search.ts'
import { findSecondaryMatches } from './secondary-matches.ts'

/** Enough rows that a rare term has matches beyond the newest ones; the embedded database inserts them slowly. */
const COUNT = 16_000
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

describe('Searching a table', () => {
  let database: OpenDatabase
  let rows: (Position & { text: string })[]
  beforeAll(async () => {
    database = await openTestDatabase()
    const now = Date.now()
    rows = Array.from({ length: COUNT }, (_, index) => {
      const words = Array.from({ length: 5 }, (_, place) => WORDS[(index * 7 + place * (index % 11)) % WORDS.length])
      // Rare words are in old rows, some of them with the same time.
      const rare = index > 3000 && index % 40 === 0 ? [RARE[(index / 40) % RARE.length] as string] : []
      const middling = index % 5 === 0 ? ['harbour lights'] : []
      // Almost no matches among the newest rows, then more than are counted.
      const sudden = index % 100 === 0 || (index > 600 && index % 3 === 0) ? ['quarry'] : []
      const createdAt = new Date(now - Math.floor(index / 3) * 5_000_000)
      return {
        id: uuidv7(),
        createdAt,
        text: searchText(founderKind.searched, {
          name: [...words, ...middling, ...sudden, ...rare].join(' '),
          notes: `n${index}`,
        }),
      }
    })
    for (let at = 0; at < COUNT; at += 1000) {
      const some = rows.slice(at, at + 1000)
      await database.db.execute(sql`
        insert into records (id, kind, name, linked_in, notes, rating, search_text, created_at)
        select id, 'founder', 'x', 'x', 'x', 5, search_text, created_at
        from unnest(
          ${sql.param(some.map(({ id }) => id))}::uuid[],
          ${sql.param(some.map(({ text }) => text))}::text[],
          ${sql.param(some.map(({ createdAt }) => createdAt.toISOString()))}::timestamptz[]
        ) as rows (id, search_text, created_at)`)
    }
    rows.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
  })
  afterAll(() => database.close())

  const search = (term: string, limit = COUNT, after?: Position) =>
    searchRecords(database.db, { kind: founderKind, query: queryOf(term), limit, after, count: COUNT })
  const queryOf = (search: string, filters: RecordQuery['filters'] = {}) => ({
    ...{ filters, search: searchable(search), sort: newest },
  })
  const idsOf = (positions: Position[]) => positions.map(({ id }) => id)
  const withTerm = (term: string) => rows.filter(({ text }) => text.includes(searchable(term)))

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
  ])('finds exactly the rows that contain %j, newest first', { tags: 'slow' }, async (term) => {
    expect((await search(term)).ids).toEqual(idsOf(withTerm(term)))
  })

  it.each(['team', '李', 'n3', 'qj'])('lists all matches of %j page by page', { tags: 'slow' }, async (term) => {
    const matches = withTerm(term)
    const seen: string[] = []
    while (seen.length < 70) {
      const { ids } = await search(term, 7, matches[seen.length - 1])
      seen.push(...ids.slice(0, 7))
      if (ids.length <= 7) break
    }
    expect(seen).toEqual(idsOf(matches.slice(0, seen.length)))
    expect(seen.length).toBe(Math.min(matches.length, 70))
  })

  it.each(['the', 'harbour', 'ships rockets', 'quarry', 'qu', 'n3', 'qj', 'nothing of this kind'])(
    'counts the matches of %j exactly, or returns a minimum once the page is full',
    async (term) => {
      const all = withTerm(term).length
      const { total = '' } = await search(term, 51)
      if (!total.endsWith('+')) return expect(total).toBe(String(all))
      expect(Number.parseInt(total, 10)).toBeGreaterThanOrEqual(51)
      expect(Number.parseInt(total, 10)).toBeLessThanOrEqual(all)
    },
  )

  it('lists the newest mentions of a term first, also where thousands of older texts have it', {
    tags: 'slow',
  }, async () => {
    // The newest ones are changed last, so that the index returns them last.
    for (const some of [rows.slice(-2_300), rows.slice(0, 3)]) {
      const ids = some.map(({ id }) => id)
      await database.db.update(records).set({ secondaryText: 'a zyzzyva' }).where(inArray(records.id, ids))
    }
    const found = await findSecondaryMatches(database.db, { kind: founderKind, query: queryOf('zyzzyva'), limit: 50 })
    expect(rows.filter(({ id }) => found.includes(id)).slice(0, 3)).toEqual(rows.slice(0, 3))
    expect(found.length).toBeGreaterThanOrEqual(50)
  })

  it('searches only rows that meet a further condition', async () => {
    const half = withTerm('rockets').filter(({ text }) => text.includes('n1'))
    const query = queryOf('rockets', { condition: sql`${records.searchText} like '%n1%'` })
    const { ids } = await searchRecords(database.db, {
      ...{ kind: founderKind, query, limit: COUNT, after: undefined, count: COUNT },
    })
    expect(ids).toEqual(idsOf(half))
  })

  it('searches My Records of one account only, and one kind only', async () => {
    const [me, other] = [await makeAccount(database.db), await makeAccount(database.db)]
    const insert = async (kind: 'founder' | 'company', creatorId: string) => {
      const id = uuidv7()
      const record = { id, kind, name: 'x', linkedIn: 'x', notes: 'x', rating: 5, creatorId, searchText: 'seldom seen' }
      await database.db.insert(records).values(record)
      return id
    }
    const mine = await insert('founder', me.id)
    await insert('founder', other.id)
    await insert('company', me.id)
    const query = queryOf('dom se', { mine: me.id })
    const found = await searchRecords(database.db, {
      ...{ kind: founderKind, query, limit: 10, after: undefined, count: COUNT + 2 },
    })
    expect(found).toEqual({ ids: [mine], total: '1' })
  })
})
