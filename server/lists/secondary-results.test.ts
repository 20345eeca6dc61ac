import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { rowsOf } from '#server/db/database.ts'
import { founderKind } from '#server/founders/kind.ts'
import { kinds } from '#server/kinds.ts'
import type { OwnRow } from '#server/records/write/own-columns.ts'
import { changeRecord } from '#server/records/write/write.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let client: TestClient
let me: Account
beforeAll(async () => {
  test = await startTestApp()
  const fellow = await fellowOf(test)
  client = fellow.client
  me = fellow.account
})
afterAll(() => test.close())
beforeEach(() => test.db.execute(sql`delete from records`))

type Found = { id: string; name: string; mention?: { field: string; excerpt: string } }

const ask = (path: string, parameters: Record<string, string>) =>
  client.get(`/api/${path}?${new URLSearchParams(parameters)}`)
async function find(kind: 'mentions' | 'similar' | 'all', search: string, more: Record<string, string> = {}) {
  const answer = await ask('founders', { search, in: kind, ...more })
  expect(answer.status).toBe(200)
  return answer.body as Found[]
}
const namesOf = (found: Found[]) => found.map(({ name }) => name)
const founder = (name: string, enrichment = {}, creator?: Account) =>
  makeFounder(test.db, { name, enrichment, ...(creator && { creator }) })

async function merge(one: OwnRow, other: OwnRow, choices: Record<string, 'survivor'>) {
  const versions = { [one.id]: one.version, [other.id]: other.version }
  const body = { survivorId: one.id, duplicateId: other.id, versions, choices }
  expect((await client.post('/api/records/merge', body)).status).toBe(200)
}

describe('Also mentioned', () => {
  const ENRICHMENT = {
    founders: { current_title: 'Chief Quokka Officer', bio: 'Raised quokkas in Perth', email: 'quokka@x.example' },
    companies: { industry: 'Quokka breeding', description: 'Breeds quokkas.', headquarters: 'Quokkatown' },
  } as Record<string, Record<string, unknown>>

  it.each(kinds.map((kind) => [kind.path, kind] as const))(
    'finds %s by each declared field that is mentioned, in any case and form, and says which',
    { tags: 'slow' },
    async (path, kind) => {
      const make = path === 'founders' ? makeFounder : makeCompany
      for (const { field, from, key } of kind.secondary) {
        await test.db.execute(sql`delete from records`)
        const text = 'Knows the ﬁnest ÉCLAIRS'
        const { id } = await make(test.db, from === 'info' ? { enrichment: { [key]: text } } : { [key]: text })
        await make(test.db)
        for (const search of ['éclair', 'FINEST É', 'ec']) {
          const { body } = await ask(path, { search, in: 'mentions' })
          const found = search === 'ec' ? [] : [{ id, mention: { field, excerpt: 'Knows the finest ÉCLAIRS' } }]
          expect(body.map(({ id, mention }: Found) => ({ id, mention }))).toEqual(found)
        }
      }
      expect(kind.secondary.length).toBeGreaterThan(1)
    },
  )

  it('finds no record by its other values', async () => {
    await founder('Ada', { email: ENRICHMENT.founders?.email })
    expect(await find('mentions', 'quokka')).toEqual([])
  })

  it('finds fellow notes, with the newest one that contains the term, and none that was deleted', async () => {
    const { id } = await founder('Ada')
    await makeNote(test.db, { founder: id, content: 'Loves quokkas' })
    await makeNote(test.db, { founder: id, content: 'Saw the Quokka again' })
    await makeNote(test.db, { founder: id, content: 'Nothing new', author: me })
    expect(await find('mentions', 'QUOKKA')).toMatchObject([
      { id, mention: { field: 'note', excerpt: 'Saw the Quokka again' } },
    ])
    await test.db.execute(sql`delete from notes where content like 'Saw%'`)
    expect((await find('mentions', 'quokka'))[0]?.mention?.excerpt).toBe('Loves quokkas')
    await test.db.execute(sql`delete from notes`)
    expect(await find('mentions', 'quokka')).toEqual([])
  })

  it('follows a change of the enriched texts', async () => {
    const { id } = await founder('Ada', { bio: 'Raised quokkas', current_title: 'Founder' })
    await changeRecord(test.db, founderKind, id, { facts: { set: { current_title: 'Wombat Officer' } } })
    expect((await find('mentions', 'quokka'))[0]?.mention?.field).toBe('bio')
    expect((await find('mentions', 'wombat'))[0]?.mention?.field).toBe('title')
    await changeRecord(test.db, founderKind, id, { facts: { set: {}, removed: ['bio', 'current_title'] } })
    expect(await find('mentions', 'quokka')).toEqual([])
    expect(await rowsOf(test.db, sql`select mention_text as text from records`)).toEqual([{ text: '' }])
  })

  it('leaves out what the exact search finds', async () => {
    await founder('Quokka Jones', { bio: 'Raised quokkas' })
    const other = await founder('Ada', { bio: 'Raised quokkas' })
    expect(await find('mentions', 'quokka')).toMatchObject([{ id: other.id }])
  })

  it('lists the newest first, at most 50 or `limit`, without a next page', { tags: 'slow' }, async () => {
    for (let index = 0; index < 54; index += 1) {
      const createdAt = new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 54)))
      const { id } = await makeFounder(test.db, {
        creator: me,
        createdAt,
        enrichment: index % 2 ? { bio: 'Quokka' } : {},
      })
      if (index % 2 === 0) await makeNote(test.db, { founder: id, content: 'Quokka' })
    }
    const { headers, body } = await ask('founders', { search: 'quokka', in: 'mentions' })
    const times = body.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect([body.length, times[0], headers.link]).toEqual([50, '2026-02-23T00:00:00.000Z', undefined])
    expect(await find('mentions', 'quokka', { limit: '3' })).toHaveLength(3)
    expect(await find('mentions', 'quokka', { limit: '500' })).toHaveLength(50)
  })

  it('finds records of the same kind, and none that was merged into another', async () => {
    const [one, other] = [await founder('Ada', {}, me), await founder('Ada', { bio: 'Raised quokkas' }, me)]
    await makeCompany(test.db, { enrichment: { description: 'Quokkas' } })
    await makeNote(test.db, { company: (await makeCompany(test.db)).id, content: 'Quokkas' })
    await makeNote(test.db, { founder: other.id, content: 'A quokka' })
    await merge(one, other, { bio: 'survivor' })
    expect(await find('mentions', 'quokka')).toMatchObject([{ id: one.id, mention: { field: 'note' } }])
  })
})

describe('Similar names', () => {
  it.each([
    ['without accents', 'jose', 'José Pérez'],
    ['without accents', 'Sofia', 'Sofía Núñez'],
    ['with accents that the name lacks', 'Zoë', 'Zoe Ash'],
    ['with a letter of another alphabet', 'lodz', 'Łódź Ventures'],
    ['with an unfinished last word', 'perez gar', 'Pérez García'],
    ['with one letter more', 'Lovellace', 'Ada Lovelace'],
    ['with one letter less', 'Lovlace', 'Ada Lovelace'],
    ['with a first letter less', 'ovelace', 'Bea Lavelace', false],
    ['with another letter', 'Lovelaxe', 'Ada Lovelace'],
    ['with another first letter', 'Movelace', 'Ada Lovelace'],
    ['with two letters swapped', 'Lovealce', 'Ada Lovelace'],
    ['with one mistake in five letters', 'Turinc', 'Turing'],
    ['with a letter less of five', 'Mary Jons', 'Mary Jones'],
    ['with words swapped', 'Lovelace Ada', 'Ada Lovelace'],
    ['with words swapped and a mistake', 'Lovelac Ada', 'Ada Lovelace'],
    ['in Cyrillic, with words swapped', 'Петров Иван', 'Иван Петров'],
    ['in Cyrillic, with a mistake', 'Петроф', 'Иван Петров'],
    ['in Cyrillic, without the points of ё', 'Семен', 'Семён Дежнёв'],
    ['in Greek, without accents', 'Παπαδοπουλος', 'Γιώργος Παπαδόπουλος'],
    ['in Greek, with a mistake', 'Παπαδόπουλοσ Γιόργος', 'Γιώργος Παπαδόπουλος'],
    ['in Chinese, with a space', '李 明', '李明'],
    ['in Chinese, without a space', '李明', '李 明'],
    ['in Japanese, with a space', '田中 太郎', '田中太郎'],
    ['in Korean, without a space', '김민준', '김 민준'],
    ['in Arabic, without vowel signs', 'محمد', 'مُحَمَّد علي'],
    ['in Arabic, with words swapped', 'علي محمد', 'محمد علي'],
    ['in Hebrew, without vowel signs', 'שלום', 'שָׁלוֹם כהן'],
    ['in Hebrew, with words swapped', 'כהן דוד', 'דוד כהן'],
    ['with two mistakes', 'Lovalaxe', 'Ada Lovelace', false],
    ['with a mistake in each word', 'Turinc Lovelaxe', 'Turing Lovelace', false],
    ['with a mistake in four letters', 'Adam', 'Adem', false],
    ['with a letter too many for a word of four', 'Marrk', 'Mark Ash', false],
    ['that only sounds alike', 'Axsys', 'Acsis', false],
    ['that only sounds alike in another spelling', 'Kowalewski', 'Kovalevski', false],
    ['of which one word is missing', 'Ada Byron', 'Ada Lovelace', false],
    ['of other words', 'Grace', 'Ada Lovelace', false],
    ['that the exact search finds', 'lovelace', 'Ada Lovelace', false],
    ['with signs only', '%_', 'Ada Lovelace', false],
  ])('a name %s: %s, %s', { tags: 'slow' }, async (_how, search, name, isFound = true) => {
    await founder(name)
    expect(namesOf(await find('similar', search))).toEqual(isFound ? [name] : [])
  })

  it('finds companies too', async () => {
    await makeCompany(test.db, { name: 'Bramblé Foods' })
    const { body } = await ask('companies', { search: 'foods bramble', in: 'similar' })
    expect(namesOf(body)).toEqual(['Bramblé Foods'])
    await founder('Bramblé Foods')
    expect((await ask('companies', { search: 'bramble', in: 'similar' })).body).toHaveLength(1)
  })

  it('lists names without a mistake first, then the newest', async () => {
    for (const name of ['Lovelacé A', 'Lovelade', 'Lovelacé B', 'Lovelate']) await founder(name)
    expect(namesOf(await find('similar', 'Lovelace'))).toEqual(['Lovelacé B', 'Lovelacé A', 'Lovelate', 'Lovelade'])
    expect(namesOf(await find('similar', 'Lovelace', { limit: '1' }))).toEqual(['Lovelacé B'])
  })

  it('are of no record that was merged into another', async () => {
    const [one, other] = [await founder('Ada', {}, me), await founder('José', {}, me)]
    expect(await find('similar', 'jose')).toHaveLength(1)
    await merge(one, other, { name: 'survivor' })
    expect(await find('similar', 'jose')).toEqual([])
  })
})

describe('A search beyond the exact one', () => {
  it.each(['mentions', 'similar', 'all'] as const)('in %s needs a term, and has one page', async (kind) => {
    expect((await ask('founders', { in: kind })).body).toMatchObject({ fields: { search: expect.any(String) } })
    expect((await ask('founders', { in: kind, search: ' ' })).status).toBe(400)
    await founder('Ada 1')
    await founder('Ada 2')
    const { headers } = await ask('founders', { search: 'ada', limit: '1' })
    const cursor = /cursor=([^&>]+)/.exec(String(headers.link))?.[1] as string
    const further = await ask('founders', { in: kind, search: 'ada', cursor })
    expect([further.status, further.body]).toMatchObject([400, { fields: { cursor: expect.any(String) } }])
    expect((await ask('founders', { in: 'other', search: 'ada' })).body).toMatchObject({
      fields: { in: expect.any(String) },
    })
  })

  it('meets the other filters', async () => {
    const other = await makeAccount(test.db)
    await founder('José', { bio: 'Quokka' }, other)
    const mine = await founder('José', { bio: 'Quokka' }, me)
    const noted = await founder('José', {}, me)
    await makeNote(test.db, { founder: noted.id, content: 'Quokka' })
    const linkedIn = mine.linkedIn as string
    expect(await find('mentions', 'quokka')).toHaveLength(3)
    expect(await find('similar', 'jose')).toHaveLength(3)
    for (const [kind, search] of [
      ['mentions', 'quokka'],
      ['similar', 'jose'],
    ] as const) {
      expect((await find(kind, search, { mine: 'true' })).map(({ id }) => id).sort()).toEqual(
        [mine.id, noted.id].sort(),
      )
      expect(await find(kind, search, { linkedIn })).toMatchObject([{ id: mine.id }])
    }
  })

  it('leaves the exact search the same to the byte', async () => {
    for (const name of ['Ada Quokka', 'Bea', 'Cat Quokka']) await founder(name, {}, me)
    const exact = () => ask('founders', { search: 'quokka' })
    const before = await exact()
    await founder('Dan', { bio: 'Raised quokkas', current_title: 'Quokka' }, me)
    await founder('Quókka', {}, me)
    await makeNote(test.db, { founder: (await founder('Quokaka')).id, content: 'Quokka' })
    const after = await exact()
    expect(before.body).toHaveLength(2)
    expect(JSON.stringify(after.body)).toBe(JSON.stringify(before.body))
    for (const name of ['x-total-count', 'link', 'content-length'])
      expect(after.headers[name]).toBe(before.headers[name])
    expect(JSON.stringify(after.body)).not.toContain('mention')
  })
})
