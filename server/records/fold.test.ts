import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge } from '#server/merge/test/calls.ts'
import { makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { foldMeanwhile } from './fold-meanwhile.ts'

let test: TestApp
let fellow: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  fellow = await fellowOf(test, { name: 'Ingrid Weiß', role: 'manager' })
})
afterAll(() => test.close())

/** How a name stands here, and how a person types it. */
const SPELLINGS = [
  ['sharp s', 'Anna Weißgruber', 'weissgruber'],
  ['ss', 'Anna Weissmuell', 'weißmuell'],
  ['a ligature', 'Lærke Æsop', 'laerke aesop'],
  ['a typographic apostrophe', 'Sinead O’Connorix', "O'Connorix"],
  ['an accent as an apostrophe', 'Sinead O´Donovan', "O'Donovan"],
  ['a plain apostrophe', "Sinead O'Malleyton", 'O’Malleyton'],
  ['a hyphen that does not break', 'Jean‑Luc Picquard', 'jean-luc picquard'],
  ['a dash', 'Marie–Eve Tremblax', 'marie-eve'],
  ['curly quotes', 'Ada “Bob” Quirkx', '"bob"'],
  ['a soft hyphen', 'Gris\u00adelda Longxname', 'griselda'],
  ['zero-width characters', 'Zoe\u200b\u2060\ufeff Narr\u200dowx', 'zoe narrowx'],
  ['a mark that is typed apart', 'J\u200bose\u0301 Marx\u0331', 'josé marx̱'],
] as const

const namesAt = async (path: string): Promise<string[]> =>
  (await fellow.client.get(path)).body.map(({ name }: { name: string }) => name)

describe('One fold of text', () => {
  it.each(SPELLINGS)('finds a name with %s', async (_what, name, typed) => {
    await makeFounder(test.db, { name })
    expect(await namesAt(`/api/founders?search=${encodeURIComponent(typed)}`)).toEqual([name])
    expect(await namesAt(`/api/founders?search=${encodeURIComponent(name)}`)).toEqual([name])
  })

  it.each(SPELLINGS)('suggests a name with %s as the same', async (_what, name, typed) => {
    // A name of one word is a name too.
    const whole = typed.split(' ').length > 1 ? typed : name
    const { body } = await fellow.client.get(`/api/founders/similar?name=${encodeURIComponent(whole.toUpperCase())}`)
    expect(body.map((similar: { name: string }) => similar.name)).toContain(name)
  })

  it.each([
    ['notes', { notes: 'Met at the Große Straße' }, 'grosse strasse'],
    ['the company', { company: 'L’Étoile–Noire' }, "l'étoile-noire"],
  ])('finds %s', async (_what, { company, ...values }: { company?: string; notes?: string }, typed) => {
    const founder = await makeFounder(test.db, {
      ...{ name: `Holder of ${typed}`, ...values },
      ...(company && { enrichment: { current_company: company } }),
    })
    const { body } = await fellow.client.get(`/api/founders?search=${encodeURIComponent(typed)}`)
    expect(body.map(({ id }: { id: string }) => id)).toContain(founder.id)
  })

  it('finds fellow notes and bios, with the text as it was written', async () => {
    const { id } = await makeFounder(test.db, {
      name: 'Mentioned A',
      enrichment: { bio: 'Built Fußballhaus’ first app' },
    })
    const noted = await makeFounder(test.db, { name: 'Mentioned B' })
    await makeNote(test.db, { founder: noted.id, author: fellow.account, content: 'Loves the Fußball\u00adhaus' })
    const { body } = await fellow.client.get(`/api/founders?in=mentions&search=${encodeURIComponent('FUSSBALLHAUS')}`)
    const found = body.map((one: { id: string; mention: { excerpt: string } }) => [one.id, one.mention.excerpt])
    expect(new Map(found)).toEqual(
      new Map([
        [noted.id, 'Loves the Fußball\u00adhaus'],
        [id, 'Built Fußballhaus’ first app'],
      ]),
    )
  })

  it('finds fellows, and accounts among all people', async () => {
    expect(await namesAt('/api/fellows?search=weiss')).toEqual(['Ingrid Weiß'])
    expect(await namesAt('/api/programme/people?search=WEISS')).toEqual(['Ingrid Weiß'])
  })

  it('knows a tag and a stage by another spelling', async () => {
    expect((await fellow.client.post('/api/tags', { name: 'Spaß’s' })).status).toBe(201)
    expect((await fellow.client.post('/api/tags', { name: "SPASS'S" })).status).toBe(409)
    expect((await fellow.client.post('/api/stages', { name: 'Gespräch – groß' })).status).toBe(201)
    expect((await fellow.client.post('/api/stages', { name: 'gespräch - gross' })).status).toBe(409)
  })

  it('lists everything for a search of invisible characters', async () => {
    const { headers } = await fellow.client.get(`/api/founders?search=${encodeURIComponent('\u00ad\u200b')}&limit=1`)
    expect(headers['x-total-count']).toBe((await fellow.client.get('/api/founders?limit=1')).headers['x-total-count'])
  })
})

type Founder = Awaited<ReturnType<typeof makeFounder>>

describe('A text that a process of the version before has folded', () => {
  const foldedBefore = (text: string) => text.normalize('NFKC').toLowerCase()

  it('is folded again, with its grams, on every record and note', async () => {
    const name = 'Rosa Süßkindt'
    const founders = [await makeFounder(test.db, { name }), await makeFounder(test.db, { name })]
    const [live, merged] = founders as [Founder, Founder]
    const deleted = await makeFounder(test.db, { name })
    const note = await makeNote(test.db, { founder: live.id, author: fellow.account, content: name })
    await test.db.execute(
      sql`insert into tags (id, name, key) values (gen_random_uuid(), 'Süß', 'süß'), (gen_random_uuid(), 'Fuß', 'fuß'), (gen_random_uuid(), 'Fuss', 'fuss')`,
    )
    expect((await merge(fellow.client, live, merged)).status).toBe(200)
    expect((await fellow.client.delete(`/api/founders/${deleted.id}`)).status).toBe(204)
    await test.db.execute(
      sql`update records set search_text = ${foldedBefore(name)}, mention_text = 'fuß' where name = ${name}`,
    )
    await test.db.execute(sql`update notes set search_text = ${foldedBefore(name)} where id = ${note.id}`)
    const found = () => namesAt(`/api/founders?search=${encodeURIComponent('süsskindt')}`)
    expect(await found()).toEqual([])
    expect(await foldMeanwhile(test.db)).toBe(true)
    expect(await found()).toEqual([name])
    const texts = sql`select search_text as text from records where name = ${name}
      union all select mention_text from records where name = ${name} union all select search_text from notes where id = ${note.id}`
    expect(new Set((await rowsOf<{ text: string }>(test.db, texts)).map(({ text }) => text))).toEqual(
      new Set(['rosa süsskindt', 'fuss']),
    )
    const wrong = sql`select from records where search_grams is distinct from search_grams(search_text)`
    expect(await rowsOf(test.db, wrong)).toEqual([])
    const keys = await rowsOf<{ key: string }>(
      test.db,
      sql`select key from tags where name in ('Süß', 'Fuß', 'Fuss') order by key`,
    )
    expect(keys.map(({ key }) => key)).toEqual(['fuss', 'fuß', 'süss'].sort())
  })

  it('is looked for until a day after the migration', async () => {
    await test.db.execute(sql`update schema_migrations set applied_at = now() - interval '25 hours' where number = 51`)
    expect(await foldMeanwhile(test.db)).toBe(false)
  })
})
