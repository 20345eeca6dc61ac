import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge } from '#server/merge/test/calls.ts'
import { tablesOf } from '#server/ops/backup/tables.ts'
import { makeCompany, makeFounder, makeImport, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { whileHeld } from '#server/test/held.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Maya Okafor' })
})
afterAll(() => test.close())

const call = (path: string, body: unknown, headers = {}) =>
  manager.client.post(`/api/programme/privacy/${path}`, body, { headers })
type Hit = { ref: string; where: string; kind: string; excerpt: string; at: string | null }
const search = async (body: object): Promise<Hit[]> => (await call('search', { names: [], ...body })).body

/** The tables whose rows contain any of the texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await tablesOf(test.db)) {
    const rows = await rowsOf<{ text: string }>(test.db, sql`select t::text as text from ${sql.identifier(name)} t`)
    const all = rows.map(({ text }) => text).join('\n')
    if (texts.some((text) => all.includes(text) || all.includes(Buffer.from(text).toString('hex')))) found.push(name)
  }
  return found
}

/** Surnames of which none is a spelling of another. */
const SURNAMES =
  'Ostrander Quandrel Vestorim Trabucel Morgliant Pelvarin Drustaco Fenwarrick Hulmortes Zibranthe Corvaleno'.split(' ')
let number = 0
/** A person in a live and a merged record, a refused row of a file, a note elsewhere, hints and a picture. */
async function plant() {
  number += 1
  const letters = SURNAMES[number] as string
  const surname = `${letters}é`
  const name = `Zoë ${surname}`
  const handle = `zoe-${letters.toLowerCase()}-77`
  const email = `zoe.${letters.toLowerCase()}@planted.example`
  const fellow = await fellowOf(test)
  const creator = fellow.account
  const linkedIn = `https://www.linkedin.com/in/${handle}`
  const founder = await makeFounder(test.db, {
    ...{ creator, name, linkedIn, notes: `Planted-notes-${letters}` },
    enrichment: { email, bio: `Planted-bio-${letters}` },
  })
  const swapped = await makeFounder(test.db, { creator, name: `${surname}, Zoe`, notes: `Planted-merged-${letters}` })
  await makeNote(test.db, { founder: founder.id, author: creator, content: `Planted-thread-${letters}` })
  const [a, b] = [founder, swapped]
  expect((await merge(fellow.client, a as never, b as never)).status).toBe(200)
  const company = await makeCompany(test.db, { creator, notes: `Founded by Zoe ${surname}.` })
  const note = await makeNote(test.db, {
    company: company.id,
    author: creator,
    content: `Ask ${name.replace('e', 'a')} soon`,
  })
  const imported = await makeImport(test.db, { importer: creator })
  await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults)
    values (${imported.id}, 1, ${JSON.stringify([`${surname} Zoe`, email])}::jsonb, 'refused', '[]')`)
  await test.db.execute(sql`insert into import_files (import_id, piece, bytes)
    values (${imported.id}, 0, convert_to(${`Name\n${name}`}, 'UTF8'))`)
  const picture = `picture-of-${letters}`
  await test.db.execute(sql`insert into pictures (record_id, kind, size, bytes, fetched_at)
    values (${founder.id}, 'founder', 56, convert_to(${picture}, 'UTF8'), now())`)
  const planted = { letters, surname, name, handle, email, picture }
  return { ...planted, founder, swapped, company, note, imported, creator, fellow }
}

const FIELDS = { search: 'names', report: 'refs', erase: 'refs' }

describe('Searches for a person at the same time', () => {
  it('run one by one, four wait, and further ones are 503', { tags: 'slow' }, async () => {
    const statuses: number[] = []
    // Those of one manager wait in the share of the account.
    const managers = await Promise.all(Array.from({ length: 6 }, () => fellowOf(test, { role: 'manager' })))
    const all = await whileHeld(
      test.db,
      sql`lock table notes in access exclusive mode`,
      () =>
        Promise.all(
          managers.map(async ({ client }) => {
            const { status } = await client.post('/api/programme/privacy/search', { names: ['Ada Byron'] })
            statuses.push(status)
          }),
        ),
      { meanwhile: () => expect.poll(() => statuses).toEqual([503]) },
    )
    expect(all.length).toBe(6)
    expect(statuses).toEqual([503, 200, 200, 200, 200, 200])
  })
})

describe('A search for a person', () => {
  it('ends when its client goes, and writes nothing then', { tags: 'slow' }, async () => {
    const gone = new AbortController()
    const searches = () => rowsOf(test.db, sql`select from audit_log where action = 'search-person'`)
    const before = (await searches()).length
    const url = await test.app.listen({ port: 0 })
    const cookie = [...manager.client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const token = manager.client.cookies.get('XSRF-TOKEN') ?? ''
    const ask = () =>
      fetch(`${url}/api/programme/privacy/search`, {
        ...{ method: 'POST', body: JSON.stringify({ names: ['Ada Byron'] }), signal: gone.signal },
        headers: { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' },
      }).catch(() => 'gone')
    const leave = async () => {
      gone.abort()
      await setTimeout(200)
    }
    expect(await whileHeld(test.db, sql`lock table notes in access exclusive mode`, ask, { meanwhile: leave })).toBe(
      'gone',
    )
    expect((await call('search', { names: ['Ada Byron'] })).status).toBe(200)
    expect(await searches()).toHaveLength(before + 1)
  })

  it('finds live and merged records, rows of imports, notes and texts elsewhere, records first', {
    tags: 'slow',
  }, async () => {
    const { name, founder, swapped, company } = await plant()
    const hits = await search({ names: [name.replace('ë', 'e')] })
    expect(hits[0]).toMatchObject({ kind: 'record', where: `Founder ${name}` })
    expect(hits.filter(({ kind }) => kind === 'record')).toHaveLength(1)
    const kinds = hits.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['import_rows', 'notes', 'records', 'audit_log']))
    expect(hits.find(({ kind }) => kind === 'records')?.where).toBe(`Original Notes · ${company.name}`)
    expect(JSON.stringify(hits)).not.toContain(founder.id + swapped.id)
  })

  it.each([
    [
      'accents off',
      (one: { surname: string }) => `Zoe ${one.surname.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')}`,
    ],
    ['words swapped', (one: { surname: string }) => `${one.surname} Zoë`],
    ['one typo', (one: { surname: string }) => `Zoe ${one.surname.replace('r', 'rr')}`],
    ['other case', (one: { surname: string }) => `ZOE ${one.surname.toUpperCase()}`],
  ])('finds a name with %s', { tags: 'slow' }, async (_what, spelled) => {
    const planted = await plant()
    const [first] = await search({ names: [spelled(planted)] })
    expect(first).toMatchObject({ kind: 'record' })
    expect(await search({ names: [`Zelda ${planted.surname}`] })).toEqual([])
  })

  it('finds a LinkedIn profile and an email address alone', { tags: 'slow' }, async () => {
    const { handle, email } = await plant()
    expect((await search({ linkedIn: `linkedin.com/in/${handle.toUpperCase()}/` }))[0]).toMatchObject({
      kind: 'record',
    })
    expect((await search({ email: email.toUpperCase() })).map(({ kind }) => kind)).toContain('import_rows')
    expect(await search({ linkedIn: `linkedin.com/in/${handle}-other` })).toEqual([])
    expect(await search({ email: `x${email}` })).toEqual([])
  })

  it('is for managers, and takes names, a profile or an address', async () => {
    const fellow = await fellowOf(test)
    expect((await fellow.client.post('/api/programme/privacy/search', { names: ['A B'] })).status).toBe(403)
    for (const body of [{}, { names: [] }, { names: 'Ada' }, { names: [''] }, { names: Array(21).fill('Ada') }]) {
      expect(await call('search', body)).toMatchObject({ status: 400, body: { fields: { names: expect.any(String) } } })
    }
    expect(await search({ names: ['((.*'] })).toEqual([])
  })
})

const everyRef = async (one: { name: string; surname: string; handle: string; email: string }) =>
  (
    await search({
      names: [one.name, `${one.surname} Zoe`],
      linkedIn: `https://linkedin.com/in/${one.handle}`,
      email: one.email,
    })
  ).map(({ ref }) => ref)

describe('An access report', () => {
  it('has what is held in each place, with time, and other people by role only', { tags: 'slow' }, async () => {
    const planted = await plant()
    const { status, body } = await call('report', { refs: await everyRef(planted) })
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    const { letters, handle, email, picture } = planted
    for (const part of [
      handle,
      email,
      `Planted-notes-${letters}`,
      `Planted-bio-${letters}`,
      `Planted-merged-${letters}`,
      `Planted-thread-${letters}`,
      'Founded by Zoe',
      Buffer.from(picture).toString('base64'),
    ]) {
      expect(text).toContain(part)
    }
    for (const other of [planted.creator.id, planted.creator.email, planted.creator.name])
      expect(text).not.toContain(other)
    const tables = body.tables.map(({ table }: { table: string }) => table)
    expect(tables).toEqual(
      expect.arrayContaining(['records', 'notes', 'pictures', 'merges', 'import_rows', 'audit_log']),
    )
    const [note] = body.tables.find(({ table }: { table: string }) => table === 'notes').rows
    expect(note).toMatchObject({ authorId: 'a fellow', createdAt: expect.stringMatching(/^\d{4}-/) })
  })
})

describe('An erasure', () => {
  it('leaves nothing in any table, and an entry in the audit log without values', { tags: 'slow' }, async () => {
    const planted = await plant()
    const { letters, surname, handle, email, picture, imported, company, note } = planted
    const refs = await everyRef(planted)
    const texts = [surname, letters, handle, email, picture, `Planted-notes-${letters}`]
    expect(await tablesWith(...texts)).toEqual(
      expect.arrayContaining(['audit_log', 'import_files', 'import_rows', 'merges', 'notes', 'pictures', 'records']),
    )
    await planted.fellow.client.get('/api/founders/export?mine=true')
    const { status, body } = await call('erase', { refs, reason: 'asked' })
    expect(status).toBe(200)
    expect(body.exports).toMatchObject([
      { by: planted.creator.email, what: 'export founder', filter: { mine: 'true' } },
    ])
    expect(await tablesWith(...texts)).toEqual([])
    const [entry] = await rowsOf<object>(
      test.db,
      sql`select action, before, after, detail from audit_log where object_id = ${body.erasureId}`,
    )
    expect(entry).toMatchObject({ action: 'erase', before: null, after: null, detail: { reason: 'asked', records: 2 } })
    const rows = await rowsOf(test.db, sql`select from import_files where import_id = ${imported.id}`)
    expect(rows).toEqual([])
    expect((await manager.client.get(`/api/companies/${company.id}`)).body).toMatchObject({
      name: company.name,
      notes: '',
      notesCount: 0,
    })
    expect(await rowsOf(test.db, sql`select from notes where id = ${note.id}`)).toEqual([])
  })

  it('empties next steps and remarks on passing that name the person elsewhere', { tags: 'slow' }, async () => {
    const planted = await plant()
    const { client } = planted.fellow
    const { id } = planted.company
    const [reason] = (await client.get('/api/passing-reasons')).body
    const text = `${planted.name} said no`
    const set = { status: 'passed', reason: { id: reason.id, text }, nextStep: `Ask ${planted.name}`, version: 0 }
    expect((await client.put(`/api/records/${id}/pipeline`, set)).status).toBe(200)
    const hits = await search({ names: [planted.name] })
    const { name } = planted.company
    const where = hits.filter(({ kind }) => kind === 'records').map((hit) => hit.where)
    expect(where).toEqual(expect.arrayContaining([`Next step · ${name}`, `Passing text · ${name}`]))
    expect((await call('erase', { refs: await everyRef(planted), reason: 'asked' })).status).toBe(200)
    expect(await tablesWith(planted.surname)).toEqual([])
    const { body } = await client.get(`/api/records/${id}/pipeline`)
    expect(body).toMatchObject({ status: 'passed', nextStep: null, version: 3 })
    expect(body.reason).toEqual({ id: reason.id, name: reason.name })
    // An erasure is in the managers' history.
    const history = await client.get(`/api/companies/${id}/history`)
    expect([history.status, history.body.at(0).action]).toEqual([200, 'update-pipeline'])
  })

  it('with the same key is done once, and without one ends where something is gone', { tags: 'slow' }, async () => {
    const planted = await plant()
    const body = { refs: await everyRef(planted), reason: 'other' }
    const key = { 'idempotency-key': `erase-${planted.letters}` }
    const first = await call('erase', body, key)
    expect(first.status).toBe(200)
    expect((await call('erase', body, key)).body).toEqual(first.body)
    expect((await call('erase', body)).status).toBe(409)
    expect((await call('report', { refs: body.refs })).status).toBe(409)
  })

  it.each(['report', 'erase'] as const)('%s refuses results that no search returned', async (path) => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const id = '01900000-0000-7000-8000-000000000001'
    for (const ref of [
      'x',
      encoded(1),
      encoded(['accounts', [id], 'email']),
      encoded(['records', ["'"], '']),
      encoded(['notes', [id], 'authorId']),
    ]) {
      const answer = await call(path, { refs: [ref], reason: 'asked' })
      expect([ref, answer.status, Object.keys(answer.body.fields)]).toEqual([ref, 400, [FIELDS[path]]])
    }
    expect((await call(path, { refs: [], reason: 'asked' })).status).toBe(400)
    expect((await call(path, { refs: [encoded(['records', [id], ''])], reason: 'asked' })).status).toBe(409)
    if (path === 'erase')
      expect((await call(path, { refs: ['x'], reason: 'bored' })).body.fields).toHaveProperty('reason')
  })
})
