import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { pictures, records } from '#server/db/schema.ts'
import { act, createEmptyApp, csv, IN, importFile, NONE, rowsOf } from '#server/import/test/import-file.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'

// An update by an import is the same change as a correction and an edit by hand, and a revert takes back all of it.

const test = createEmptyApp()

const AT = '2025-01-01T00:00:00.000Z'
const found = (...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, { provider: 'harmonic', at: AT }]))

const setState = (id: string, values: Partial<typeof records.$inferInsert>) =>
  test.db.update(records).set(values).where(eq(records.id, id))

/** What a revert brings back. */
async function stored(id: string) {
  const [row] = await test.db.select().from(records).where(eq(records.id, id))
  const { name, linkedIn, website, notes, additionalInfo, enrichment, searchText, secondaryText } =
    row as typeof records.$inferSelect
  const { linkedInKey, domainKey, notesEditedBy, notesEditedAt } = row as typeof records.$inferSelect
  return {
    ...{ name, linkedIn, website, notes, additionalInfo, sources: enrichment.sources ?? {}, searchText, secondaryText },
    ...{ linkedInKey, domainKey, notesEditedBy, notesEditedAt },
  }
}

describe('Notes that an import updates', () => {
  const file = csv('Name,LinkedIn,Notes', `Ann Ash,${IN}ann,From the file`)

  it('were edited by its uploader, until its revert', { tags: 'slow' }, async () => {
    const { account } = await fellowOf(test)
    const { account: priya, client } = await fellowOf(test, { name: 'Priya', role: 'manager' })
    const { id } = await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann` })
    for (const before of [
      { by: null, at: null },
      { by: priya.id, at: new Date(AT) },
    ]) {
      await setState(id, { notesEditedBy: before.by, notesEditedAt: before.at })
      const asBefore = await stored(id)
      const { id: importId } = await importFile(client, file, { duplicates: 'update' })
      const { notesEditedBy, notesEditedAt } = (await client.get(`/api/founders/${id}`)).body
      expect(notesEditedBy).toBe('Priya')
      expect(Math.abs(Date.now() - Date.parse(notesEditedAt))).toBeLessThan(60_000)
      expect((await act(client, importId, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
      expect(await stored(id)).toEqual(asBefore)
    }
  })

  it('stay edited by another fellow who has edited them since', { tags: 'slow' }, async () => {
    const { account, client: owner } = await fellowOf(test)
    const { client } = await fellowOf(test, { role: 'manager' })
    const { id } = await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann` })
    const { id: importId } = await importFile(client, file, { duplicates: 'update' })
    await owner.put(`/api/founders/${id}`, { notes: 'By hand' })
    expect((await act(client, importId, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
    expect(await stored(id)).toMatchObject({ notes: 'By hand', notesEditedBy: account.id })
  })

  it('take their editor along in a merge and its undo', { tags: 'slow' }, async () => {
    const { account } = await fellowOf(test)
    const { client } = await fellowOf(test, { name: 'Priya', role: 'manager' })
    const made = [`${IN}ann`, `${IN}other`].map((linkedIn) =>
      makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn }),
    )
    const [edited, other] = await Promise.all(made)
    await importFile(client, file, { duplicates: 'update' })
    const get = async (id = ''): Promise<Row> => (await client.get(`/api/founders/${id}`)).body
    const { body } = await merge(client, await get(other?.id), await get(edited?.id), { notes: 'duplicate' })
    expect(body.record).toMatchObject({ notes: 'From the file', notesEditedBy: 'Priya' })
    const { records: back } = (await undo(client, body.mergeId)).body
    expect(back.map((one: Row) => one.notesEditedBy)).toEqual([undefined, 'Priya'])
  })
})

describe('A value that a person typed', () => {
  it('stays with fill, is replaced with update, and is the person’s again after the revert', {
    tags: 'slow',
  }, async () => {
    const { account, client } = await fellowOf(test)
    const { id } = await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann` })
    await client.patch(`/api/founders/${id}`, { title: 'Typed', version: 1 })
    const before = await stored(id)
    const file = csv('Name,LinkedIn,Title', `Ann Ash,${IN}ann,Imported`)
    expect((await importFile(client, file, { duplicates: 'fill' })).counts).toEqual({
      ...NONE,
      duplicate: 1,
      marked: 1,
    })
    const updated = await importFile(client, file, { duplicates: 'update' })
    expect(await stored(id)).toMatchObject({
      additionalInfo: { current_title: 'Imported' },
      sources: { current_title: { provider: 'import' } },
    })
    await act(client, updated.id, 'revert')
    expect(before.sources).toMatchObject({ current_title: { provider: 'person' } })
    expect(await stored(id)).toEqual(before)
  })
})

describe('An address of a company that was found', () => {
  it('is as typed once an import has changed it, and as found again after the revert', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const { id } = await makeCompany(test.db, { creator: account, name: 'Acme', website: 'https://acme.example' })
    await setState(id, { linkedIn: 'https://www.linkedin.com/showcase/acme-found' })
    await setState(id, { enrichment: { sources: found('linkedIn') } })
    const before = await stored(id)
    const linkedIn = 'https://www.linkedin.com/company/acme'
    const file = csv('Company,Website,Company LinkedIn', `Acme,https://acme.example,${linkedIn}`)
    const done = await importFile(client, file, { kind: 'company', duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 1 })
    expect(await stored(id)).toMatchObject({ linkedIn, sources: {} })
    await act(client, done.id, 'revert')
    expect(await stored(id)).toEqual(before)
  })
})

describe('An import that changes an address', () => {
  const INFO = { email: 'ann@acme.example', current_title: 'CEO', bio: 'Sails', current_company: 'Typed' }
  const FILE = csv('Name,LinkedIn,Email', `Ann Ash,${IN}ann-new,ann@acme.example`)

  async function import_(client: Awaited<ReturnType<typeof fellowOf>>['client'], file = FILE) {
    const done = await importFile(client, file, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 1 })
    return done.id
  }

  // One that identifies no one, or the row would be of another person.
  const OLD = 'https://www.linkedin.com/sales/lead/ann'

  /** A founder with a picture and values of providers, and one that a person typed. */
  async function known() {
    const fellow = await fellowOf(test)
    const { id } = await makeFounder(test.db, {
      creator: fellow.account,
      name: 'Ann Ash',
      linkedIn: OLD,
      enrichment: INFO,
    })
    const additionalInfo = { ...INFO, profile_picture_url: `/api/founders/${id}/picture?t=1` }
    const sources = {
      ...found('email', 'current_title', 'bio', 'profile_picture_url'),
      current_company: { provider: 'person', at: AT },
    }
    await setState(id, { additionalInfo, enrichment: { sources } })
    await test.db
      .insert(pictures)
      .values({ recordId: id, kind: 'founder', size: 64, bytes: Buffer.from('x'), fetchedAt: new Date(AT) })
    return { ...fellow, id }
  }

  it('drops what providers found by the old one, except for what the row gives', { tags: 'slow' }, async () => {
    const { client, id } = await known()
    await import_(client)
    const { additionalInfo, sources } = await stored(id)
    expect(additionalInfo).toEqual({ email: 'ann@acme.example', current_company: 'Typed' })
    expect(sources).toMatchObject({ email: { provider: 'import' }, current_company: { provider: 'person' } })
    expect(Object.keys(sources)).toHaveLength(2)
    expect((await importFile(client, FILE, { duplicates: 'update' })).counts).toEqual({ ...NONE, same: 1 })
  })

  it('is reverted with all that it dropped, the picture included', { tags: 'slow' }, async () => {
    const { client, id } = await known()
    const before = await stored(id)
    const importId = await import_(client)
    expect((await act(client, importId, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
    expect(await stored(id)).toEqual(before)
    expect(await test.db.$count(pictures, eq(pictures.recordId, id))).toBe(1)
  })

  it('is reverted without what providers have found by the new address', { tags: 'slow' }, async () => {
    const { client, id } = await known()
    const before = await stored(id)
    const importId = await import_(client)
    const { additionalInfo, sources } = await stored(id)
    const at = new Date().toISOString()
    const since = {
      bio: 'Another person',
      website: 'https://another.example',
      profile_picture_url: `/api/founders/${id}/picture?t=2`,
    }
    await setState(id, {
      additionalInfo: { ...(additionalInfo as object), ...since },
      enrichment: {
        sources: {
          ...sources,
          ...Object.fromEntries(Object.keys(since).map((key) => [key, { provider: 'harmonic', at }])),
        },
      },
    })
    expect((await act(client, importId, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
    const { profile_picture_url: _picture, ...info } = before.additionalInfo as Record<string, string>
    expect((await stored(id)).additionalInfo).toEqual(info)
    expect(await test.db.$count(pictures, eq(pictures.recordId, id))).toBe(0)
  })

  it('keeps an address and a value that a person has given since, and says so', { tags: 'slow' }, async () => {
    const { client, id } = await known()
    const importId = await import_(client)
    await client.patch(`/api/founders/${id}`, { title: 'Typed since', version: 2 })
    expect((await act(client, importId, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
    expect(await stored(id)).toMatchObject({
      linkedIn: OLD,
      additionalInfo: { current_title: 'Typed since', bio: 'Sails', email: 'ann@acme.example' },
    })
    const again = await import_(client)
    await client.patch(`/api/founders/${id}`, { linkedIn: `${IN}ann-by-hand`, version: 5 })
    expect((await act(client, again, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
    const { linkedIn, additionalInfo } = await stored(id)
    expect([linkedIn, Object.keys(additionalInfo as object).sort()]).toEqual([
      `${IN}ann-by-hand`,
      ['current_company', 'current_title', 'email'],
    ])
  })

  it('drops nothing where it fills an empty one, nor does its revert', { tags: 'slow' }, async () => {
    const { client, id } = await known()
    await setState(id, { linkedIn: null, linkedInKey: null })
    const before = await stored(id)
    const done = await importFile(client, FILE, { duplicates: 'fill' })
    expect(done.counts).toEqual({ ...NONE, updated: 1 })
    expect(await stored(id)).toMatchObject({
      linkedIn: `${IN}ann-new`,
      additionalInfo: before.additionalInfo as object,
    })
    await act(client, done.id, 'revert')
    expect(await stored(id)).toEqual(before)
  })
})

describe('Two rows that meet one record', () => {
  it('update it one after the other, and are reverted in turn', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const enrichment = { email: 'ann@acme.example', current_title: 'Founder' }
    const { id } = await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann`, enrichment })
    const before = await stored(id)
    const file = csv(
      'Name,LinkedIn,Email,Title',
      `Ann Ash,${IN}ann,,CEO`,
      'Anna A,,ann@acme.example,CTO',
      'Bo Birch,,,',
    )
    const done = await importFile(client, file, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 2, created: 1 })
    expect((await rowsOf(client, done.id)).map(({ recordId }) => recordId === id)).toEqual([true, true, false])
    expect(await stored(id)).toMatchObject({ name: 'Anna A', additionalInfo: { current_title: 'CTO' } })
    expect((await act(client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 3 })
    expect(await stored(id)).toEqual(before)
  })
})
