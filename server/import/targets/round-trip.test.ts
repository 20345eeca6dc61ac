import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notes, records } from '#server/db/schema.ts'
import { importFile, NONE } from '#server/import/test/import-file.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let empty: TestApp
beforeAll(async () => {
  test = await startTestApp()
  empty = await startTestApp()
})
afterAll(async () => {
  await test.close()
  await empty.close()
})

const at = (day: number) => new Date(Date.UTC(2025, 0, day, 10, 30, 0, 123))

/** Fellows, and records with every exported value. */
async function makeWorld() {
  const [ada, bob] = [await fellowOf(test, { name: 'Ada' }), await fellowOf(test, { name: 'Bob' })]
  const manager = await fellowOf(test, { name: 'Mara', role: 'manager' })
  const odd = '\'=1+1\r\n"quoted", é 🦊 \u00a0 `x`'
  const one = await makeFounder(test.db, {
    ...{ creator: ada.account, createdAt: at(1), name: "=O'Hara, Zoë", notes: odd, rating: 9 },
    enrichment: { bio: 'Builds\nthings', current_company: 'Acme', email: 'zoe@acme.example', current_title: 'CEO' },
  })
  await makeFounder(test.db, { creator: bob.account, createdAt: at(2), name: 'Plain' })
  const imported = await makeFounder(test.db, { creator: ada.account, createdAt: at(3), name: 'Imported' })
  const text = {
    creatorId: null,
    creatorText: 'Old Tool',
    isImported: true,
    linkedIn: null,
    linkedInKey: null,
    isRated: false,
    notes: '',
  }
  await test.db.update(records).set(text).where(eq(records.id, imported.id))
  const unknown = await makeFounder(test.db, { creator: ada.account, createdAt: at(4), name: 'Unknown' })
  await test.db.update(records).set({ creatorId: null }).where(eq(records.id, unknown.id))
  const company = await makeCompany(test.db, {
    ...{ creator: bob.account, createdAt: at(5), name: 'Acme', website: 'https://acme.example', description: odd },
    enrichment: {
      industry: 'Robots',
      founded_year: 2019,
      headquarters: { city: 'Bern', address_formatted: 'Bern, CH' },
    },
  })
  await test.db
    .update(records)
    .set({ linkedIn: 'https://www.linkedin.com/company/acme' })
    .where(eq(records.id, company.id))
  for (const author of [ada.account, bob.account, ada.account]) {
    await makeNote(test.db, { founder: one.id, author, content: odd })
  }
  await makeNote(test.db, { company: company.id, author: bob.account, content: 'Call' })
  // Created at the same time, so that only their order differs.
  await makeNote(test.db, { company: company.id, author: ada.account, content: 'Called' })
  await test.db
    .update(notes)
    .set({ createdAt: at(6) })
    .where(eq(notes.recordId, company.id))
  for (const id of [one.id, unknown.id, company.id]) {
    await manager.client.post(`/api/records/${id}/finders`, {})
  }
  return manager.client
}

/** The fields of records from section 3 of the specification, without ids. */
const recordsOf = async (client: TestClient, path: string) =>
  (await client.get(`/api/${path}`)).body.map(
    ({
      name,
      linkedIn,
      website,
      description,
      notes,
      rating,
      isRated,
      createdBy,
      createdAt,
      additionalInfo,
    }: Record<string, string>) => ({
      ...{ name, linkedIn, website, description, notes, rating, isRated, createdBy, createdAt },
      additionalInfo: additionalInfo && JSON.parse(additionalInfo),
    }),
  )

describe('JSON Lines exported by a manager and imported into an empty installation', () => {
  it.each(['founders', 'companies'])('create equal records, notes and finders: %s', { tags: 'slow' }, async (path) => {
    const client = path === 'founders' ? await makeWorld() : (await fellowOf(test, { role: 'manager' })).client
    const file = (await client.get(`/api/${path}/export?format=jsonl`)).text
    const { client: manager } = await fellowOf(empty, { role: 'manager' })
    const lines = file.trimEnd().split('\n').length
    const done = await importFile(manager, file, undefined, `${path}.jsonl`)
    expect(done).toMatchObject({ state: 'done', counts: { ...NONE, created: lines } })
    expect(await recordsOf(manager, path)).toEqual(await recordsOf(client, path))
    expect((await manager.get(`/api/${path}/export?format=jsonl`)).text).toBe(file)
    const again = await importFile(manager, file, undefined, `${path}.jsonl`)
    expect(again.counts).toEqual({ ...NONE, same: lines })
  })

  it('lose creators, dates, notes and finders when a fellow imports them', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(empty, { name: 'Fay' })
    const line = {
      ...{ name: 'Someone New', createdBy: 'Ada', createdAt: at(1).toISOString(), additionalInfo: { bio: 'Bio' } },
      notesThread: [{ author: 'Ada', content: 'Note', createdAt: at(1).toISOString() }],
      finders: [{ name: 'Ada', foundAt: at(1).toISOString(), via: 'add' }],
    }
    const done = await importFile(client, `${JSON.stringify(line)}\n`, undefined, 'founders.jsonl')
    expect(done.counts).toEqual({ ...NONE, created: 1 })
    const [record] = (await client.get('/api/founders?search=someone')).body
    expect(record).toMatchObject({ createdBy: account.name, additionalInfo: null, notesCount: 0 })
    expect(record.createdAt > at(1).toISOString()).toBe(true)
    const finders = (await client.get(`/api/records/${record.id}/finders`)).body
    expect(finders).toMatchObject([{ fellow: { name: 'Fay' }, via: 'import' }])
  })
})

describe.each(['jsonl', 'csv'])('A pipeline and tags, exported as %s by a manager', (format) => {
  it('come back where the stages, reasons and fellows exist, and the tags may be created', {
    tags: 'slow',
  }, async () => {
    const [from, to] = await Promise.all([test, empty].map((app) => fellowOf(app, { name: 'Pia', role: 'manager' })))
    if (from === undefined || to === undefined) throw new Error('Both products have a manager')
    await to.client.patch('/api/account', { name: 'Pia' })
    const name = `Odd Tags ${format}`
    const { id } = (await from.client.post('/api/companies', { name, notes: 'n' })).body
    const tags = []
    for (const tag of [`${format}; one`, `${format}, "two"`, `${format} three`]) {
      tags.push((await from.client.post('/api/tags', { name: tag })).body.id)
    }
    await from.client.put(`/api/records/${id}/tags`, { tags })
    const [stage] = (await from.client.get('/api/stages')).body
    const [reason] = (await from.client.get('/api/passing-reasons')).body
    const fellow = (await from.client.get(`/api/fellows?search=${from.account.email}`)).body[0].id
    const set = { stage: stage.id, responsible: fellow, nextStep: 'Call, then "write"; again', nextOn: '2031-01-02' }
    const isLine = format === 'jsonl'
    const passed = { status: 'passed', reason: { id: reason.id, text: 'Too early' }, lookAgainOn: '2031-05-03' }
    const status = isLine ? passed : { status: 'on_hold' }
    await from.client.put(`/api/records/${id}/pipeline`, { ...set, ...status, version: 0 })
    const file = (await from.client.get(`/api/companies/export?format=${format}&search=${encodeURIComponent(name)}`))
      .text
    expect(file).toContain(from.account.email)
    const there = file.replaceAll(from.account.email, to.account.email)
    const done = await importFile(to.client, there, { createTags: true }, `companies.${format}`)
    expect(done.counts).toEqual({ ...NONE, created: 1 })
    const again = (await to.client.get(`/api/companies/export?format=${format}&search=${encodeURIComponent(name)}`))
      .text
    expect(again).toBe(there)
    expect((await importFile(to.client, there, undefined, `companies.${format}`)).counts).toEqual({ ...NONE, same: 1 })
    expect((await from.client.delete(`/api/companies/${id}`)).status).toBe(204)
  })
})

describe('Refused lines of JSON Lines', () => {
  it('download as the same lines plus a reason; corrected and imported again they are created once, with notes and finders', {
    tags: 'slow',
  }, async () => {
    const manager = (await fellowOf(empty, { role: 'manager' })).client
    const time = at(1).toISOString()
    const line = {
      ...{ name: 'Refused First', linkedIn: null, website: 'https://refused.example', description: '5', notes: '{}' },
      ...{ rating: 99, createdBy: 'Ada', createdAt: time, stage: null, status: null, responsible: null, tags: null },
      ...{ company: null, title: null, email: null, place: null, industry: 'Robots', founded: '2019', employees: null },
      ...{ bio: null, nextStep: null, nextOn: null },
      additionalInfo: { industry: 'Robots', founded_year: 2019 },
      notesThread: [{ author: 'Ada', content: '"Note"\n2', createdAt: time }],
      finders: [
        { name: 'Ada', foundAt: time, via: 'add' },
        { name: 'Bob', foundAt: time, via: 'self' },
      ],
      passingReason: null,
      passingRemark: null,
      lookAgainOn: null,
    }
    const broken = '{"name": "Refused Second",'
    const file = `${JSON.stringify(line)}\n${broken}\n${JSON.stringify({ name: 'Taken', notes: 'n' })}\n`
    const done = await importFile(manager, file, { cells: 'refuse' }, 'companies.jsonl')
    expect(done.counts).toEqual({ ...NONE, created: 1, refused: 2 })
    const { text, headers } = await manager.get(`/api/imports/${done.id}/refused.jsonl`)
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="refused-companies.jsonl"',
    })
    const reason = 'rating: Rating must be a whole number from 1 to 10'
    expect(text).toBe(`${JSON.stringify({ ...line, reason })}\n${broken}\n`)
    const mended = text.replace('"rating":99', '"rating":9').replace(broken, `${broken}"notes": "n"}`)
    const again = await importFile(manager, mended, undefined, 'refused-companies.jsonl')
    expect(again).toMatchObject({ kind: 'company', counts: { ...NONE, created: 2 } })
    const exported = (await manager.get('/api/companies/export?format=jsonl&search=refused%20first')).text
    expect(JSON.parse(exported)).toEqual({ ...line, rating: 9 })
  })

  it('do not download as JSON Lines when the file was not JSON Lines', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(empty)
    const { id } = await importFile(client, 'Name,Rating\nWim Wald,11', undefined, 'people.csv')
    expect((await client.get(`/api/imports/${id}/refused.jsonl`)).status).toBe(404)
  })
})

describe('CSV exported and imported into an empty installation', () => {
  it('creates equal fields, also where the export protected them from spreadsheets', { tags: 'slow' }, async () => {
    const { client: from } = await fellowOf(test, { role: 'manager' })
    const { client: to } = await fellowOf(empty, { role: 'manager' })
    await empty.db.delete(notes)
    await empty.db.delete(records)
    for (const path of ['founders', 'companies']) {
      const file = (await from.get(`/api/${path}/export?format=csv`)).text
      await importFile(to, file, undefined, `${path}.csv`)
      const known = (text: string) => text.split('\n').filter((line) => !line.startsWith('Unknown,'))
      expect(known((await to.get(`/api/${path}/export?format=csv`)).text)).toEqual(known(file))
    }
  })
})
