import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog, duplicateChecks, records } from '#server/db/schema.ts'
import { merge, preview, type Row, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let owner: Awaited<ReturnType<typeof fellowOf>>
let client: TestClient
beforeAll(async () => {
  test = await startTestApp()
  owner = await fellowOf(test, { name: 'Maya' })
  client = owner.client
})
afterAll(() => test.close())

const ofFounder = async (id: string): Promise<Row> => (await client.get(`/api/founders/${id}`)).body
const founder = (overrides: object = {}) => makeFounder(test.db, { creator: owner.account, ...overrides })
const company = (overrides: object = {}) => makeCompany(test.db, { creator: owner.account, ...overrides })
const entriesOf = (id: string) => test.db.select().from(auditLog).where(eq(auditLog.objectId, id))

describe('A correction', () => {
  it('of a name is found by search, by similar names and by the comparison with all others at once', async () => {
    const { id } = await founder({ name: 'Wrongly Spelt' })
    await test.db.delete(duplicateChecks)
    expect(await client.patch(`/api/founders/${id}`, { name: 'Odalys Quimby', version: 1 })).toMatchObject({
      status: 200,
      body: { name: 'Odalys Quimby', version: 2 },
    })
    const idsOf = async (url: string) => (await client.get(url)).body.map((one: Row) => one.id)
    expect(await idsOf('/api/founders?search=quimby')).toEqual([id])
    expect(await idsOf('/api/founders?search=wrongly')).toEqual([])
    expect(await idsOf('/api/founders/similar?name=Odalys+Quimby')).toEqual([id])
    expect(await test.db.select({ id: duplicateChecks.recordId }).from(duplicateChecks)).toEqual([{ id }])
  })

  it('of an address is found by the address', async () => {
    const { id } = await company({ name: 'Halyard', website: 'https://old.example' })
    const body = { website: 'https://halyard-marine.example/', version: 1 }
    expect((await client.patch(`/api/companies/${id}`, body)).status).toBe(200)
    const byAddress = async (website: string) =>
      (await client.get(`/api/companies?website=${encodeURIComponent(website)}`)).body.map((one: Row) => one.id)
    expect(await byAddress('http://www.halyard-marine.example')).toEqual([id])
    expect(await byAddress('https://old.example')).toEqual([])
  })

  it('keeps a whole number a number, and says so in the history', async () => {
    const { id } = await company()
    const typed = { founded: '2019', employees: 12, place: ' Galway ', version: 1 }
    const { body } = await client.patch(`/api/companies/${id}`, typed)
    expect(JSON.parse(body.additionalInfo)).toEqual({
      founded_year: 2019,
      employee_count: 12,
      headquarters: { city: 'Galway' },
    })
    const range = await client.patch(`/api/companies/${id}`, { employees: '11-50', version: 2 })
    expect(JSON.parse(range.body.additionalInfo)).toMatchObject({ employee_count: '11-50' })
    const [latest, first] = (await client.get(`/api/companies/${id}/history`)).body
    expect(latest.changes).toEqual([{ field: 'employee_count', before: 12, after: '11-50' }])
    expect(first).toMatchObject({ action: 'update', by: 'Maya' })
    expect(first.changes).toEqual([
      { field: 'employee_count', before: null, after: 12 },
      { field: 'founded_year', before: null, after: 2019 },
      { field: 'headquarters', before: null, after: 'Galway' },
    ])
  })

  it('is put back by sending the value before', async () => {
    const before = { title: 'x'.repeat(200), bio: `Long\n${'y'.repeat(9_000)}`, email: 'ada@halyard.example' }
    const { id } = await founder()
    await client.patch(`/api/founders/${id}`, { ...before, version: 1 })
    await client.patch(`/api/founders/${id}`, { title: '', bio: 'Other', email: '', version: 2 })
    const [{ changes }] = (await client.get(`/api/founders/${id}/history`)).body
    const beforeOf = (field: string) => changes.find((one: Row) => one.field === field).before
    const back = { title: beforeOf('current_title'), bio: beforeOf('bio'), email: beforeOf('email'), version: 3 }
    const { body } = await client.patch(`/api/founders/${id}`, back)
    expect(JSON.parse(body.additionalInfo)).toEqual({
      current_title: before.title,
      bio: before.bio,
      email: before.email,
    })
  })

  it('that equals the record is 200, without a new version or an entry in the history', async () => {
    const { id } = await company({ name: 'Acme', website: 'https://acme.example', description: 'Anvils' })
    const values = { industry: 'Tools', place: 'Oslo', founded: 2001 }
    await client.patch(`/api/companies/${id}`, { ...values, version: 1 })
    const [before] = await test.db.select().from(records).where(eq(records.id, id))
    const entries = (await entriesOf(id)).length
    const same = { name: 'Acme', website: 'https://acme.example', description: 'Anvils', linkedIn: '', ...values }
    const { status, body } = await client.patch(`/api/companies/${id}`, { ...same, version: 2 })
    expect([status, body.version]).toEqual([200, 2])
    expect(await test.db.select().from(records).where(eq(records.id, id))).toEqual([before])
    expect(await entriesOf(id)).toHaveLength(entries)
  })

  it('ignores fields that it cannot correct, as PUT does', async () => {
    const { id } = await founder({ name: 'Ada', notes: 'Met', rating: 4 })
    const { status, body } = await client.patch(`/api/founders/${id}`, {
      notes: 'x',
      rating: 9,
      website: 'x',
      version: 1,
    })
    expect([status, body.notes, body.rating, body.version]).toEqual([200, 'Met', 4, 1])
  })
})

describe('A correction is refused', () => {
  it('with 403 for a fellow who may not edit, and made by one who noted something or a manager', async () => {
    const { id } = await founder()
    const [noted, manager, other] = [
      await fellowOf(test),
      await fellowOf(test, { role: 'manager' }),
      await fellowOf(test),
    ]
    await makeNote(test.db, { founder: id, author: noted.account })
    const { status, body } = await other.client.patch(`/api/founders/${id}`, { title: 'CEO', version: 1 })
    expect([status, body.error]).toEqual([403, expect.stringContaining('can edit it')])
    for (const [at, { client }] of [noted, manager].entries()) {
      const patched = await client.patch(`/api/founders/${id}`, { title: `CEO ${at}`, version: at + 1 })
      expect([patched.status, patched.body.version]).toEqual([200, at + 2])
    }
  })

  it('with 404 for an id of the other kind or of no record, and with 409 for a merged record', async () => {
    const [a, b, firm] = [await founder(), await founder(), await company()]
    const body = { name: 'Ada', version: 1 }
    expect((await client.patch(`/api/founders/${firm.id}`, body)).status).toBe(404)
    expect((await client.patch(`/api/companies/${a.id}`, body)).status).toBe(404)
    expect((await client.patch('/api/founders/01900000-0000-7000-8000-0000000000ff', body)).status).toBe(404)
    await merge(client, await ofFounder(a.id), await ofFounder(b.id))
    const merged = await client.patch(`/api/founders/${b.id}`, body)
    expect([merged.status, merged.body.code, merged.body.mergedInto]).toEqual([409, 'merged', a.id])
    await client.delete(`/api/founders/${a.id}`)
    expect((await client.patch(`/api/founders/${a.id}`, body)).status).toBe(404)
  })

  it('with 409 and the current record, when another one came first', async () => {
    const { id } = await founder({ name: 'Ada' })
    const both = await Promise.all(
      ['One', 'Two'].map((name) => client.patch(`/api/founders/${id}`, { name, version: 1 })),
    )
    const [won, lost] = both.toSorted((one, other) => one.status - other.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    expect(lost?.body.current).toMatchObject({ id, name: won?.body.name, version: 2 })
    expect((await ofFounder(id)).name).toBe(won?.body.name)
  })

  it.each([
    ['founders', {}, 'version', 'Version must be a whole number'],
    ['founders', { version: '1' }, 'version', 'Version must be a whole number'],
    ['founders', { version: 1.5 }, 'version', 'Version must be a whole number'],
    ['founders', { name: '' }, 'name', 'Name is required'],
    ['founders', { name: ' \u200b ' }, 'name', 'Name is required'],
    ['founders', { name: 'a\nb' }, 'name', 'Name must be on one line'],
    ['founders', { name: null }, 'name', 'Name is required'],
    ['founders', { name: 'x'.repeat(201) }, 'name', 'Name must be at most 200 characters'],
    ['founders', { linkedIn: '' }, 'linkedIn', 'LinkedIn profile is required'],
    ['founders', { linkedIn: 'ada' }, 'linkedIn', expect.stringMatching(/^Enter a full URL/)],
    ['founders', { title: 7 }, 'title', 'Title must be text'],
    ['founders', { title: 'x'.repeat(201) }, 'title', 'Title must be at most 200 characters'],
    ['founders', { company: 'x'.repeat(201) }, 'company', 'Company must be at most 200 characters'],
    ['founders', { bio: 'x'.repeat(10_001) }, 'bio', 'Bio must be at most 10,000 characters'],
    ['founders', { bio: ['x'] }, 'bio', 'Bio must be text'],
    ['founders', { email: 'ada' }, 'email', expect.stringMatching(/^Enter an email address/)],
    ['founders', { email: `${'x'.repeat(310)}@mit.example` }, 'email', 'Email must be at most 320 characters'],
    ['companies', { website: 'javascript:alert(1)' }, 'website', expect.stringMatching(/^Enter a full URL/)],
    ['companies', { linkedIn: 'acme' }, 'linkedIn', expect.stringMatching(/^Enter a full URL/)],
    ['companies', { description: 'x'.repeat(10_001) }, 'description', expect.stringContaining('at most 10,000')],
    ['companies', { industry: 'x'.repeat(201) }, 'industry', 'Industry must be at most 200 characters'],
    ['companies', { place: { city: 'Oslo' } }, 'place', 'Headquarters must be text'],
    ['companies', { founded: 'soon' }, 'founded', expect.stringMatching(/^The year must/)],
    ['companies', { founded: 999 }, 'founded', expect.stringMatching(/^The year must/)],
    ['companies', { founded: new Date().getFullYear() + 1 }, 'founded', expect.stringMatching(/^The year must/)],
    ['companies', { employees: 'many' }, 'employees', expect.stringMatching(/^Employees must/)],
    ['companies', { employees: 0 }, 'employees', expect.stringMatching(/^Employees must/)],
    ['companies', { employees: true }, 'employees', expect.stringMatching(/^Employees must/)],
    ['companies', { employees: '1'.repeat(201) }, 'employees', expect.stringMatching(/^Employees must/)],
    ['companies', { employees: '1\0' }, 'employees', expect.stringMatching(/^Employees must/)],
    ['companies', { industry: 'a\ud800' }, 'industry', 'Industry contains invalid characters'],
  ])('with 400 at its field: %s %j', async (path, body, field, sentence) => {
    const { id } = await (path === 'founders' ? founder() : company())
    const sent = field === 'version' ? body : { version: 1, ...body }
    const answer = await client.patch(`/api/${path}/${id}`, sent)
    expect([answer.status, answer.body.fields]).toEqual([400, { [field]: sentence }])
    expect((await client.get(`/api/${path}/${id}`)).body.version).toBe(1)
  })
})

describe('Who edited the notes last', () => {
  const note = async (who: TestClient, id: string, notes: string) =>
    (await who.put(`/api/founders/${id}`, { notes })).body as Row

  it('is shown where it was another fellow than the creator, with the time', async () => {
    const [editor, { id }] = [await fellowOf(test, { name: 'Priya' }), await founder({ notes: 'Met' })]
    await makeNote(test.db, { founder: id, author: editor.account })
    expect(await note(client, id, 'Met again')).not.toHaveProperty('notesEditedBy')
    expect((await editor.client.put(`/api/founders/${id}`, { rating: 2, notes: 'Met again' })).body).not.toHaveProperty(
      'notesEditedBy',
    )
    const edited = await note(editor.client, id, 'Met in Oslo')
    expect(edited).toMatchObject({ notesEditedBy: 'Priya' })
    expect(Math.abs(Date.now() - Date.parse(edited.notesEditedAt))).toBeLessThan(60_000)
    expect(await ofFounder(id)).toMatchObject({ notesEditedBy: 'Priya', notesEditedAt: edited.notesEditedAt })
    const [listed] = (await client.get('/api/founders?search=met+in+oslo')).body
    expect(listed).toMatchObject({ id, notesEditedBy: 'Priya' })

    await client.patch(`/api/founders/${id}`, { title: 'CEO', version: edited.version })
    expect(await ofFounder(id)).toMatchObject({ notesEditedBy: 'Priya', notesEditedAt: edited.notesEditedAt })
    const logged = (await entriesOf(id)).flatMap(({ after }) => Object.keys(after ?? {}))
    expect(logged).not.toContain('notesEditedBy')
    expect(await note(client, id, 'Met in Rome')).not.toHaveProperty('notesEditedBy')
  })

  it('goes with the notes that a merge keeps, and comes back by its undo', { tags: 'slow' }, async () => {
    const editor = await fellowOf(test, { name: 'Priya' })
    const made = async (notes: string) => {
      const { id } = await founder({ name: 'Ada Ash', notes })
      await makeNote(test.db, { founder: id, author: editor.account })
      return ofFounder(id)
    }
    const [survivor, other] = [await made('Ours'), await made('Theirs')]
    const duplicate = await note(editor.client, other.id, 'Theirs, edited')
    for (const [choice, isEdited] of [
      ['survivor', false],
      ['duplicate', true],
      ['both', true],
    ] as const) {
      const [ours, theirs] = [await ofFounder(survivor.id), await ofFounder(duplicate.id)]
      const shown = (await preview(client, ours, theirs, { notes: choice })).body.record
      const { body } = await merge(client, ours, theirs, { notes: choice })
      expect(body.record).toEqual(shown)
      expect([choice, body.record.notesEditedBy]).toEqual([choice, isEdited ? 'Priya' : undefined])
      const { records: back } = (await undo(client, body.mergeId)).body
      expect(back.map((one: Row) => one.notesEditedBy)).toEqual([undefined, 'Priya'])
      expect(back[1].notesEditedAt).toBe(duplicate.notesEditedAt)
    }
  })
})
