import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Import, ImportPatch } from '#contract/import.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { rowsOf as query } from '#server/db/database.ts'
import { accounts, imports, notes, records } from '#server/db/schema.ts'
import {
  act,
  createEmptyApp,
  csv,
  IN,
  NONE,
  prepare,
  rowsOf,
  settled,
  upload,
} from '#server/import/test/import-file.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

const manager = () => fellowOf(test, { role: 'manager' })
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, { emailVerified: true, ...overrides })

const NOTE: ImportPatch = { kind: 'note' }
const HEADER = 'Record,Address,Author,Date,Text'
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const read = (client: TestClient, file: string, patch: ImportPatch = NOTE) => prepare(client, file, patch, 'notes.csv')
async function importNotes(client: TestClient, file: string, patch: ImportPatch = NOTE): Promise<Import> {
  const { id, state, counts } = await read(client, file, patch)
  expect(state).toBe('ready')
  const done = await act(client, id, 'run')
  expect(done.counts).toEqual(counts)
  return done
}
const thread = async (client: TestClient, kind: 'founder' | 'company', id: string) =>
  (await client.get(`/api/notes/${kind}/${id}?limit=500`)).body.notes as {
    content: string
    author: string
    authorEmail: string
    createdAt: string
  }[]
const sentences = async (client: TestClient, { id }: Import) =>
  (await rowsOf(client, id)).map(({ faults }) =>
    faults.map(({ column, sentence }) => `${column}: ${sentence}`).join('; '),
  )

describe('Moving in: managers import notes', () => {
  it('with author, date, record and text onto records that are here, of either kind', { tags: 'slow' }, async () => {
    const [{ client }, maya] = [await manager(), await fellow({ name: 'Maya' })]
    const ada = await makeFounder(test.db, { creator: maya.account, name: 'Ada Lovelace', linkedIn: `${IN}ada` })
    const acme = await makeCompany(test.db, { creator: maya.account, name: 'Acme', website: 'https://acme.example' })
    const done = await importNotes(
      client,
      csv(
        HEADER,
        `Ada Lovelace,,${maya.account.email},2024-03-05T10:30:00Z,Met at the fair`,
        `,linkedin.com/in/Ada/,Tom Baker,2023-01-02,Called`,
        `,www.acme.example,,2022-12-24,"Two lines,\nof text"`,
      ),
    )
    expect(done).toMatchObject({ kind: 'note', state: 'done', counts: { ...NONE, created: 3, notes: 3, records: 2 } })
    expect(await thread(client, 'founder', ada.id)).toMatchObject([
      {
        ...{ content: 'Met at the fair', author: 'Maya', authorEmail: maya.account.email },
        createdAt: '2024-03-05T10:30:00.000Z',
      },
      { content: 'Called', author: 'Tom Baker', authorEmail: '', createdAt: '2023-01-02T00:00:00.000Z' },
    ])
    expect(await thread(client, 'company', acme.id)).toMatchObject([{ content: 'Two lines,\nof text' }])
    const [record] = await test.db.select().from(records).where(eq(records.id, ada.id))
    expect(record).toMatchObject({ notesCount: 2, lastNoteAt: new Date('2024-03-05T10:30:00Z') })
    expect((await maya.client.get('/api/notes/my-notes')).body.founderNotes).toMatchObject([{ founderId: ada.id }])
  })

  it('and fellows get 403, whose list of kinds and guesses have none', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const { id, kind } = await prepare(client, csv('Record,Note text', 'Ada,Met'), undefined, 'notes.csv')
    expect(kind).toBe('founder')
    const answer = await client.call('PATCH', `/api/imports/${id}`, { body: NOTE })
    expect([answer.status, answer.body.error]).toEqual([403, 'Only managers can import notes'])
    const boss = await manager()
    expect((await boss.client.call('PATCH', `/api/imports/${id}`, { body: NOTE })).status).toBe(403)
    expect((await client.get(`/api/imports/${id}`)).body.kind).toBe('founder')
  })

  it('and a manager who is one no longer can neither run nor revert it', { tags: 'slow' }, async () => {
    const [{ account, client }, boss] = [await manager(), await manager()]
    await makeFounder(test.db, { name: 'Ada' })
    const file = csv(HEADER, 'Ada,,,,Met')
    const [ready, done] = [await read(client, file), await importNotes(client, csv(HEADER, 'Ada,,,,Called'))]
    await test.db.update(accounts).set({ role: 'fellow' }).where(eq(accounts.id, account.id))
    for (const call of [`${ready.id}/run`, `${done.id}/revert`]) {
      expect((await client.post(`/api/imports/${call}`)).status).toBe(403)
    }
    expect((await client.call('PATCH', `/api/imports/${ready.id}`, { body: { cells: 'refuse' } })).status).toBe(403)
    expect((await boss.client.post(`/api/imports/${ready.id}/run`)).status).toBe(403)
    await test.db.update(imports).set({ state: 'running', step: sql`step + 1` }).where(eq(imports.id, ready.id))
    expect(await test.db.$count(notes)).toBe(1)
  })

  it.each([
    ['English', 'Name,LinkedIn,Type,Note,Author,Date'],
    ['German', 'Kontakt,LinkedIn-Profil,Typ,Notiz,Verfasser,Datum'],
    ['French', 'Nom complet,Profil LinkedIn,Type,Commentaire,Auteur,Date de création'],
    ['Spanish', 'Nombre completo,Perfil de LinkedIn,Tipo,Notas,Autor,Fecha'],
  ])('whose columns are known by their %s names', { tags: 'slow' }, async (_language, header) => {
    const { client } = await manager()
    const { mapping, doubts } = await read(client, csv(header, `Ada,${IN}ada,Person,Met,Tom,2024-03-05`))
    expect(mapping).toEqual({ record: 0, address: 1, kind: 2, text: 3, author: 4, date: 5 })
    expect(doubts).toEqual({})
  })

  it('from the file that Affinity documents for notes, which is known as one', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada', enrichment: { email: 'Ada@engines.example' } })
    const file = csv('Author,Date Created,Tagged Entity,Content', 'tom@fund.example,03/25/2024,ada@engines.example,Met')
    const ready = await prepare(client, file, undefined, 'export.csv')
    expect(ready).toMatchObject({ kind: 'note', doubts: {}, mapping: { author: 0, date: 1, address: 2, text: 3 } })
    expect((await act(client, ready.id, 'run')).counts).toMatchObject({ created: 1 })
    expect(await thread(client, 'founder', id)).toMatchObject([
      { author: 'tom@fund.example', createdAt: '2024-03-25T00:00:00.000Z' },
    ])
  })

  it('with first and last names of records in two columns', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Ada Lovelace' })
    const { mapping, counts } = await read(client, csv('First name,Last name,Note', 'Ada,Lovelace,Met'))
    expect(mapping).toEqual({ record: [0, 1], text: 2 })
    expect(counts.created).toBe(1)
  })

  it('and no other column is kept: there is nothing to keep it in', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id, rest } = await read(client, csv('Record,Note text,Mood', 'Ada,Met,Good'))
    expect(rest).toEqual({ 2: 'drop' })
    const { status, body } = await client.call('PATCH', `/api/imports/${id}`, { body: { rest: { 2: 'notes' } } })
    expect([status, body.fields]).toEqual([400, { rest: 'Other columns of a file of notes cannot be kept' }])
  })

  it('not without a column of texts and one that says whose they are', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id } = await read(client, csv('A,B', 'Ada,Met'))
    for (const [mapping, sentence] of [
      [{ record: 0 }, 'Choose the column that holds the texts'],
      [{ text: 1 }, 'Choose the column that holds the names or addresses of the records'],
      [{ text: 1, name: 0 }, 'Notes have no field name'],
    ] as const) {
      const { status, body } = await client.call('PATCH', `/api/imports/${id}`, { body: { mapping } })
      expect([status, body.fields]).toEqual([400, { mapping: sentence }])
    }
  })
})

describe('The record of a note', () => {
  it('is found by its address first, then by exactly its name without accents; never by a similar one', {
    tags: 'slow',
  }, async () => {
    const { client } = await manager()
    const jose = await makeFounder(test.db, { name: 'José Álvarez', linkedIn: `${IN}jose` })
    await makeFounder(test.db, { name: 'Ada King', linkedIn: `${IN}ada`, enrichment: { email: 'ada@engines.example' } })
    await makeCompany(test.db, { name: 'Engines', website: 'https://www.engines.example' })
    const found = await read(
      client,
      csv(
        HEADER,
        'jose  ALVAREZ,,,,a',
        ',Ada <ADA@engines.example>,,,b',
        'Ada King,ada@home.example,,,c',
        'Ada Lovelace,linkedin.com/in/ada,,,d',
        ',https://shop.engines.example/about,,,e',
        'Engines,,,,f',
      ),
    )
    expect(found.counts).toEqual({ ...NONE, created: 6, notes: 6, records: 3 })
    const rows = await rowsOf(client, found.id)
    expect(rows[0]).toMatchObject({ recordId: jose.id, recordKind: 'founder', values: { record: 'José Álvarez' } })
    expect(rows.map(({ values }) => values.record)).toEqual([
      'José Álvarez',
      'Ada King',
      'Ada King',
      'Ada King',
      'Engines',
      'Engines',
    ])
    const similar = await read(client, csv(HEADER, 'Jose Alvares,,,,a', 'Alvarez Jose,,,,b', 'Engines Inc.,,,,c'))
    expect(similar.counts).toEqual({ ...NONE, refused: 3 })
    expect(await sentences(client, similar)).toEqual(Array(3).fill('Record: No record has exactly this name'))
  })

  it('is found by a mailbox or a host only under a name like its own', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Ada Alpha', enrichment: { email: 'hello@acme.example' } })
    await makeCompany(test.db, { name: 'Alpha Robotics', website: 'https://studio.example' })
    const lines = [
      'Ben Beta,hello@acme.example,,,a',
      'Beta Robotics,https://studio.example/beta,,,b',
      'A. Alpha,hello@acme.example,,,c',
      'Alpha,https://studio.example,,,d',
    ]
    const found = await read(client, csv(HEADER, ...lines))
    expect(await sentences(client, found)).toEqual([
      'Record: Ada Alpha has this address, under another name',
      'Record: Alpha Robotics has this address, under another name',
      '',
      '',
    ])
  })

  it('is refused where it is unknown or not certain, with the column and a sentence', { tags: 'slow' }, async () => {
    const { client } = await manager()
    for (const name of ['Ada King', 'Ada King', 'Bob']) await makeFounder(test.db, { name })
    await makeFounder(test.db, { name: 'Cyd', linkedIn: `${IN}cyd` })
    await makeFounder(test.db, { name: 'Cyd Two', linkedIn: `${IN}cyd` })
    await makeFounder(test.db, { name: 'Dan', linkedIn: `${IN}dan` })
    const read_ = await read(
      client,
      csv(
        HEADER,
        'Ada King,,,,a',
        ',linkedin.com/in/cyd,,,b',
        'Cyd,linkedin.com/in/cyd,,,c',
        'Bob,linkedin.com/in/dan,,,d',
        'Dan,linkedin.com/in/other,,,e',
        ',nowhere.example,,,f',
        'Eve,nowhere.example,,,g',
        ',,,,h',
        'Bob,,,,',
      ),
    )
    expect(read_.counts).toEqual({ ...NONE, created: 1, refused: 8, notes: 1, records: 1 })
    expect(await sentences(client, read_)).toEqual([
      'Record: Several records have this name',
      'Address: Several records have this address',
      '',
      'Record: This name and this address belong to different records',
      'Address: Dan has another address',
      'Address: No record has this address',
      'Record: No record has this address, or exactly this name',
      'Record: The name or an address of the record is required',
      'Text: Text is required',
    ])
    const { text: refused } = await client.get(`/api/imports/${read_.id}/refused.csv`)
    expect(refused).toContain('Ada King,,,,a,Record: Several records have this name\r\n')
  })

  it('is of the kind that a column names, where founders and companies share a name', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Mercury' })
    await makeCompany(test.db, { name: 'Mercury' })
    const file = csv('Record,Kind,Text', 'Mercury,,a', 'Mercury,Person,b', 'Mercury,Unternehmen,c', 'Mercury,Planet,d')
    const { id, counts } = await read(client, file)
    expect(counts).toEqual({ ...NONE, created: 2, refused: 2, notes: 2, records: 2 })
    expect((await rowsOf(client, id)).map(({ recordKind }) => recordKind)).toEqual([
      undefined,
      'founder',
      'company',
      undefined,
    ])
  })

  it('that was merged into another leads to the survivor, by its address and its name', { tags: 'slow' }, async () => {
    const { account, client } = await manager()
    const make = (name: string, handle: string) =>
      makeFounder(test.db, { creator: account, name, linkedIn: `${IN}${handle}` })
    const [one, two] = [await make('Ada King', 'king'), await make('Ada Lovelace', 'ada')]
    await client.post('/api/records/merge', {
      ...{ survivorId: one.id, duplicateId: two.id, choices: {} },
      versions: { [one.id]: 1, [two.id]: 1 },
    })
    const done = await importNotes(client, csv(HEADER, ',linkedin.com/in/ada,,,a', 'Ada Lovelace,,,,b'))
    expect(done.counts).toEqual({ ...NONE, created: 2, notes: 2, records: 1 })
    expect((await thread(client, 'founder', one.id)).map(({ content }) => content)).toEqual(['b', 'a'])
  })
})

describe('Author, date and text of a note', () => {
  it('have an author who is the fellow with that verified address, else text, else the uploader', {
    tags: 'slow',
  }, async () => {
    const [{ account, client }, maya] = [await manager(), await fellow({ name: 'Maya' })]
    const open = await fellow({ name: 'Open' })
    await test.db.update(accounts).set({ emailVerified: false }).where(eq(accounts.id, open.account.id))
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const file = csv(
      HEADER,
      `Ada,,Maya <${maya.account.email.toUpperCase()}>,2024-01-04,a`,
      `Ada,,${open.account.email},2024-01-03,b`,
      'Ada,,Maya,2024-01-02,c',
      'Ada,,n/a,2024-01-01,d',
    )
    const ready = await read(client, file)
    const authors = ['Maya', open.account.email, 'Maya', account.name]
    expect((await rowsOf(client, ready.id)).map(({ values }) => values.author)).toEqual(authors)
    await act(client, ready.id, 'run')
    const written = await thread(client, 'founder', id)
    expect(written.map(({ author }) => author)).toEqual(authors)
    expect(written.map(({ authorEmail }) => authorEmail)).toEqual([maya.account.email, '', '', account.email])
  })

  it('have a date: asked about once if ambiguous, the time of the import if absent, left out if in the future', {
    tags: 'slow',
  }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const file = csv(HEADER, 'Ada,,Tom,03/04/2024,a', 'Ada,,Tom,,b', 'Ada,,Tom,2999-01-01,c')
    const ready = await read(client, file)
    expect(ready.doubts.dates).toBe('03/04/2024')
    expect(ready.counts).toMatchObject({ created: 3, marked: 2 })
    expect((await read(client, file, { ...NOTE, cells: 'refuse', dates: 'day-first' })).counts).toMatchObject({
      created: 2,
      refused: 1,
    })
    const done = await importNotes(client, file, { ...NOTE, dates: 'day-first' })
    expect(done.counts.marked).toBe(1)
    expect((await sentences(client, done))[2]).toMatch(/^Date: The date .* not be in the future$/)
    const dates = new Map((await thread(client, 'founder', id)).map((note) => [note.content, note.createdAt]))
    expect([dates.get('a'), dates.get('b'), dates.get('c')]).toEqual([
      '2024-04-03T00:00:00.000Z',
      done.startedAt,
      done.startedAt,
    ])
  })

  it('have a long text as several notes, in order, of the same date, without losing a character', {
    tags: 'slow',
  }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const text = `Start ${'Ein Satz mit Ümläuten und 👩‍👩‍👧‍👦. '.repeat(70)}\n\n${'wort '.repeat(150)}Ende`
    const ready = await read(client, csv(HEADER, `Ada,,Tom,2024-03-05,${quoted(text)}`, 'Ada,,Tom,2024-03-05,Short'))
    const [row] = await rowsOf(client, ready.id)
    expect(row?.values.text).toBe(text)
    expect(row?.parts).toBeGreaterThan(2)
    const done = await act(client, ready.id, 'run')
    const written = await thread(client, 'founder', id)
    expect(done.counts).toEqual({ ...NONE, created: 2, notes: written.length, records: 1 })
    expect(written).toHaveLength((row?.parts ?? 0) + 1)
    // Newest first: the later row of the file, then the parts of the earlier one from its beginning on.
    expect(written[0]?.content).toBe('Short')
    const parts = written.slice(1)
    expect(parts.map(({ content }) => content).join('')).toBe(text)
    expect(new Set(parts.map(({ createdAt }) => createdAt))).toEqual(new Set(['2024-03-05T00:00:00.000Z']))
    for (const { content } of parts) expect(lengthOf(content)).toBeLessThanOrEqual(1_000)
  })

  it('refuse a text of more than a hundred notes, and a blank one', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Ada' })
    const { counts, ...read_ } = await read(client, csv(HEADER, `Ada,,,,${'x'.repeat(100_001)}`, 'Ada,,,,\u200b'))
    expect(counts).toEqual({ ...NONE, refused: 2 })
    expect(await sentences(client, { counts, ...read_ })).toEqual([
      'Text: Text must be at most 100,000 characters',
      'Text: Text is required',
    ])
  })

  it('are stored as they are, whatever the cells contain', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: "Robert'); drop table notes;--" })
    const texts = [
      `<img src=x onerror=alert(1)>`,
      `'); delete from records; --`,
      '=HYPERLINK("https://evil.example")',
      '{"a": "\\u0000"} \\ \\x00 %s $1 ${x}',
      '\u202egnirts desrever',
      'a\u001fb \ufeff c',
      '__proto__',
    ]
    const lines = texts.map(
      (text, at) => `"Robert'); drop table notes;--",,__proto__,2024-01-0${at + 1},${quoted(text)}`,
    )
    await importNotes(client, csv(HEADER, ...lines))
    const written = await thread(client, 'founder', id)
    expect(written.map(({ content }) => content).toReversed()).toEqual(texts)
    expect(new Set(written.map(({ author }) => author))).toEqual(new Set(['__proto__']))
  })
})

describe('An import of notes', () => {
  it('of the same file twice adds nothing, also with long texts and without dates', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const lines = ['Ada,,Tom,2024-01-01,One', 'Ada,,Tom,,Two', `Ada,,,2024-01-02,${'word '.repeat(500)}`]
    const file = csv(HEADER, ...lines)
    await importNotes(client, file)
    const before = await thread(client, 'founder', id)
    expect((await importNotes(client, file)).counts).toEqual({ ...NONE, same: 3 })
    expect(await thread(client, 'founder', id)).toEqual(before)
    const others = csv(HEADER, 'Ada,,Tom,2024-01-03,One', 'Ada,,Ann,2024-01-01,One', 'Ada,,Tom,2024-01-01,one')
    expect((await importNotes(client, others)).counts).toMatchObject({ created: 3, same: 0 })
  })

  it('adds a row that repeats another one once', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Ada', linkedIn: `${IN}ada` })
    const file = csv(HEADER, 'Ada,,Tom,2024-01-01,One', ',linkedin.com/in/ada,Tom,2024-01-01T00:00:00Z,One')
    const done = await importNotes(client, file)
    expect(done.counts).toEqual({ ...NONE, created: 1, duplicate: 1, notes: 1, records: 1 })
    expect((await rowsOf(client, done.id))[1]?.faults).toEqual([{ sentence: 'This row repeats row 2' }])
    expect(await test.db.$count(notes)).toBe(1)
  })

  it('is one entry of the audit log, and one for each note, which names the import', { tags: 'slow' }, async () => {
    const { account, client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const done = await importNotes(client, csv(HEADER, 'Ada,,Tom,2024-01-01,One'))
    await act(client, done.id, 'revert')
    const log = await query<{ action: string; detail: object; account: string }>(
      test.db,
      sql`select action, detail, account_id as account from audit_log
        where object_id in (${id}, ${done.id}) and account_id = ${account.id} order by id`,
    )
    expect(log.map(({ action }) => action)).toEqual([
      ...['upload', 'import', 'add-note', 'revert-import', 'delete-note'],
    ])
    expect(log[2]?.detail).toEqual({ import: done.id })
    expect(log[4]?.detail).toEqual({ revertedImport: done.id })
  })

  it('has nothing to look up', { tags: 'slow' }, async () => {
    const { client } = await manager()
    await makeFounder(test.db, { name: 'Ada' })
    const { id } = await importNotes(client, csv(HEADER, 'Ada,,,,One'))
    expect((await client.get(`/api/imports/${id}/look-ups`)).body).toEqual({ count: 0, askedAt: null })
    expect((await client.post(`/api/imports/${id}/look-ups`)).status).toBe(409)
  })

  it('finds its record again if it is merged or deleted between the preview and the run', {
    tags: 'slow',
  }, async () => {
    const { account, client } = await manager()
    const make = (name: string) => makeFounder(test.db, { creator: account, name })
    const [one, two, three] = [await make('Ada'), await make('Bob'), await make('Cyd')]
    const ready = await read(client, csv(HEADER, 'Bob,,,2024-01-01,b', 'Cyd,,,2024-01-01,c'))
    await client.post('/api/records/merge', {
      ...{ survivorId: one.id, duplicateId: two.id, choices: {} },
      versions: { [one.id]: 1, [two.id]: 1 },
    })
    await client.delete(`/api/founders/${three.id}`)
    const done = await act(client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, created: 1, refused: 1, notes: 1, records: 1 })
    expect(await thread(client, 'founder', one.id)).toMatchObject([{ content: 'b' }])
  })
})

describe('The revert of an import of notes', () => {
  const stateOf = async (id: string) => {
    const [record] = await test.db.select().from(records).where(eq(records.id, id))
    const members = await query(
      test.db,
      sql`select account_id, is_owner, is_finder, notes_count from record_members where record_id = ${id} order by 1`,
    )
    const counters = await query(
      test.db,
      sql`select creator_id, kind, added, mine from counters where mine <> 0 order by 1, 2`,
    )
    return { notes: record?.notesCount, last: record?.lastNoteAt, members, counters }
  }

  it('takes all back: counts, the time of the newest note and members are as before', { tags: 'slow' }, async () => {
    const [{ client }, maya] = [await manager(), await fellow()]
    const { id } = await makeFounder(test.db, { creator: maya.account, name: 'Ada' })
    await maya.client.post(`/api/notes/founder/${id}`, { content: 'Mine' })
    const before = await stateOf(id)
    const tom = await fellow()
    const done = await importNotes(
      client,
      csv(HEADER, `Ada,,${tom.account.email},2024-01-01,${'word '.repeat(500)}`, 'Ada,,Ann,,Two', 'Ada,,,,Three'),
    )
    expect(await stateOf(id)).not.toEqual(before)
    const reverted = await act(client, done.id, 'revert')
    expect(reverted).toMatchObject({ state: 'reverted', counts: { ...NONE, reverted: 3 } })
    expect(await stateOf(id)).toEqual(before)
    expect(await thread(client, 'founder', id)).toMatchObject([{ content: 'Mine' }])
    expect((await importNotes(client, csv(HEADER, 'Ada,,Ann,,Two'))).counts.created).toBe(1)
  })

  it('finds notes that a merge has moved, and leaves out those that were deleted', { tags: 'slow' }, async () => {
    const [{ account, client }, maya] = [await manager(), await fellow()]
    const make = (name: string) => makeFounder(test.db, { creator: account, name })
    const [one, two] = [await make('Ada'), await make('Bob')]
    const before = [await stateOf(one.id), await stateOf(two.id)]
    const file = csv(HEADER, `Ada,,${maya.account.email},,a`, `Bob,,${maya.account.email},,b`, 'Bob,,Tom,,c')
    const done = await importNotes(client, file)
    const { mergeId } = (
      await client.post('/api/records/merge', {
        ...{ survivorId: one.id, duplicateId: two.id, choices: {} },
        versions: { [one.id]: 1, [two.id]: 1 },
      })
    ).body
    const { notes: moved } = (await maya.client.get(`/api/notes/founder/${one.id}`)).body
    const own = moved.find(({ authorEmail }: { authorEmail: string }) => authorEmail === maya.account.email)
    expect((await maya.client.delete(`/api/notes/founder/${one.id}/${own.id}`)).status).toBe(200)
    expect((await act(client, done.id, 'revert')).counts).toMatchObject({ reverted: 3 })
    expect(await test.db.$count(notes)).toBe(0)
    expect((await client.post(`/api/merges/${mergeId}/undo`)).status).toBe(200)
    expect([await stateOf(one.id), await stateOf(two.id)]).toEqual(before)
  })

  it('of a cancelled one takes back what was added, and another import keeps its notes', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { id } = await makeFounder(test.db, { name: 'Ada' })
    const [one, two] = [
      await importNotes(client, csv(HEADER, 'Ada,,Tom,,One')),
      await importNotes(client, csv(HEADER, 'Ada,,Tom,,Two')),
    ]
    await test.db.update(imports).set({ state: 'cancelled' }).where(eq(imports.id, one.id))
    await act(client, one.id, 'revert')
    expect(await thread(client, 'founder', id)).toMatchObject([{ content: 'Two' }])
    expect((await client.delete(`/api/imports/${two.id}`)).status).toBe(204)
    expect(await thread(client, 'founder', id)).toMatchObject([{ content: 'Two' }])
  })

  it('of an import of records keeps a record that notes were imported onto since', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const founders = await prepare(client, csv('Name,Notes', 'Ada,Met'))
    await act(client, founders.id, 'run')
    await importNotes(client, csv(HEADER, 'Ada,,Tom,,One'))
    expect((await act(client, founders.id, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
  })
})

describe('An upload by a manager', () => {
  it('is of notes where a column says so, and can be changed to records and back', { tags: 'slow' }, async () => {
    const { client } = await manager()
    const { body } = await upload(client, csv('Name,Note body', 'Ada,Met'), 'x.csv')
    expect(await settled(client, body.id)).toMatchObject({ kind: 'note', mapping: { record: 0, text: 1 } })
    const change = async (kind: 'founder' | 'note') => {
      await client.call('PATCH', `/api/imports/${body.id}`, { body: { kind } })
      return settled(client, body.id)
    }
    expect(await change('founder')).toMatchObject({ mapping: { name: 0 }, rest: { 1: 'notes' } })
    expect(await change('note')).toMatchObject({ mapping: { record: 0, text: 1 } })
  })
})
