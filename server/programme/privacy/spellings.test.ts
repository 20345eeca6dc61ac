import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, rowsOf } from '#server/db/database.ts'
import { notes } from '#server/db/schema.ts'
import { makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { scan } from './scan.ts'
import { entryOf } from './tables.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager' })
})
afterAll(() => test.close())

type Hit = { kind: string; where: string; excerpt: string }
const search = async (body: object): Promise<Hit[]> =>
  (await manager.client.post('/api/programme/privacy/search', { names: [], ...body })).body

describe('The search for a person', () => {
  it.each([
    ['Anja Weißgerber', 'Anja Weissgerber'],
    ['Anja Grossmann', 'Anja Großmann'],
    ['WEIẞKIRCH, Bernd', 'bernd weisskirch'],
    ['Ægir Lærdalsson', 'Aegir Laerdalsson'],
    ['Caelum Aerts', 'Cælum Ærts'],
    ['Una O’Shaughnessy', "Una O'Shaughnessy"],
    ["Una D'Arcyson", 'Una D’Arcyson'],
    ['Jean‑Luc Delacroixe', 'Jean-Luc Delacroixe'],
    ['Marie–Claude Bernardine', 'Marie Claude Bernardine'],
    ['“Tom” Quarrington', 'Tom Quarrington'],
    ['Fran\u00adziska Hohen\u00adfels', 'Franziska Hohenfels'],
    ['Gia\u200bcomo Ben\u2060ede\ufefftti', 'Giacomo Benedetti'],
    ['Søren Kjærsgaard', 'Soren Kjaersgaard'],
    ['Łucja Wiśniowska', 'Lucja Wisniowska'],
    ['Zoë\u00a0Vanderhoeven', 'Zoe Vanderhoeven'],
    ['ИВАН ПЕТРУШКИН', 'Иван Петрушкин'],
    ['ΣΊΣΥΦΟΣ ΠΈΤΡΟΥ', 'Σίσυφος Πέτρου'],
    ['Ana·Maria Quintanilha', 'Ana Maria Quintanilha'],
  ])('finds %j by %j, as a record and in a text', async (name, typed) => {
    const noted = await makeFounder(test.db, { name: 'Someone Else' })
    await makeFounder(test.db, { name })
    await makeNote(test.db, {
      founder: noted.id,
      author: manager.account,
      content: `${'ß'.repeat(60)} Met ${name} there`,
    })
    const hits = await search({ names: [typed] })
    expect(hits[0]).toMatchObject({ kind: 'record', where: `Founder ${name}` })
    const inNote = hits.find(({ kind }) => kind === 'notes')
    expect(inNote?.excerpt).toContain(name)
  })

  it.each([
    ['https://www.linkedin.com/in/anja-wei%C3%9Fhaupt', 'linkedin.com/in/anja-weisshaupt'],
    ['https://www.linkedin.com/in/anja-weißberg', 'linkedin.com/in/anja-weissberg'],
  ])('finds the profile %s by %s', async (linkedIn, typed) => {
    await makeFounder(test.db, { name: 'Profile Holder', linkedIn })
    expect(await search({ linkedIn: typed })).toHaveLength(linkedIn.includes('%') ? 0 : 1)
    expect(await search({ linkedIn })).toHaveLength(1)
  })

  it('finds an address with an apostrophe of another kind', async () => {
    const founder = await makeFounder(test.db, { name: 'Mail Holder' })
    await makeNote(test.db, { founder: founder.id, author: manager.account, content: 'Mail p.o’keeffe@quokka.example' })
    const hits = await search({ email: "p.o'keeffe@quokka.example" })
    expect(hits.map(({ kind }) => kind).sort()).toEqual(['audit_log', 'notes'])
  })

  it.each([
    ['Bo Li', ['Bo Li', 'LI, Bo'], ['Bo Lim', 'Bob Li']],
    ['Wolfgangson', ['Wolfgangson', 'Wolfgangsson', 'Wolfgagnson', 'Xolfgangson', 'Wolfgangso'], ['Wolfxangsxn']],
    ['Petra Wolframm', ['Petra Wolfram', 'Pedra Wolframm', 'Wolframm Petra'], ['Pedra Wolfram']],
    ['þorgeir', ['Þorgeir', 'xorgeir', 'Þorger'], ['xorger']],
  ])('looks for %s in the same spellings as the expression', async (typed, found, not) => {
    const founder = await makeFounder(test.db, { name: 'Text Holder' })
    const write = (texts: string[]) =>
      Promise.all(texts.map((content) => makeNote(test.db, { founder: founder.id, author: manager.account, content })))
    await write([...found, ...not])
    const excerpts = (await search({ names: [typed] })).filter(({ kind }) => kind === 'notes').map((hit) => hit.excerpt)
    expect(excerpts.sort()).toEqual(found.toSorted())
  })
})

/** The database, with something done before the statement with this number. */
const doingBefore = (number: number, act: () => Promise<unknown>): Database => {
  let count = 0
  const execute = async (statement: never) => {
    count += 1
    if (count === number) await act()
    return test.db.execute(statement)
  }
  return new Proxy(test.db, { get: (db, name) => (name === 'execute' ? execute : db[name as keyof Database]) })
}

describe('A search that reads a table in parts', () => {
  const person = { names: ['Quintessa Mallory'] }
  const entry = entryOf('notes') as NonNullable<ReturnType<typeof entryOf>>
  const pageOf = async (id: string) => {
    const [row] = await rowsOf<{ page: number }>(
      test.db,
      sql`select (ctid::text::point)[0]::int as page from ${notes} where id = ${id}`,
    )
    return row?.page ?? -1
  }
  let note: { id: string }
  beforeAll(async () => {
    const founder = await makeFounder(test.db, { name: 'Long Thread' })
    const fill = (count: number) =>
      test.db.execute(sql`insert into notes (id, record_id, kind, author_text, content)
        select gen_random_uuid(), ${founder.id}, 'founder', 'Filler', (select string_agg(md5(random()::text || m), '') from generate_series(1, 40) m)
        from generate_series(1, ${count}::int) n`)
    await fill(3_000)
    note = await makeNote(test.db, { founder: founder.id, author: manager.account, content: 'Ask Quintessa Mallory' })
    await fill(50)
    await test.db.execute(sql`delete from notes where (ctid::text::point)[0] between 20 and 60`)
    await test.db.execute(sql`vacuum notes`)
  })
  const limited = (signal = new AbortController().signal) => ({ limit: 10, signal })

  it('finds a row that moves to a part that was read already', async () => {
    expect(await pageOf(note.id)).toBeGreaterThan(400)
    const change = () =>
      test.db.execute(
        sql`update notes set content = content || '!' || (select string_agg(md5(m::text), '') from generate_series(1, 55) m) where id = ${note.id}`,
      )
    const found = await scan(doingBefore(4, change), entry, person, limited())
    expect(await pageOf(note.id)).toBeLessThan(400)
    expect(found).toMatchObject([{ key: [note.id], column: 'content' }])
    expect(await scan(test.db, entry, person, limited())).toHaveLength(1)
  })

  it('stops when its client has gone', async () => {
    const gone = new AbortController()
    const steps: string[] = []
    const stop = async () => gone.abort(new Error('gone'))
    const db = doingBefore(4, stop)
    const counted = new Proxy(db, {
      get: (target, name) => {
        if (name === 'execute') steps.push('statement')
        return target[name as keyof Database]
      },
    })
    await expect(scan(counted, entry, person, limited(gone.signal))).rejects.toThrow('gone')
    expect(steps).toHaveLength(4)
  })
})
