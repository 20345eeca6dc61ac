import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { importFiles, imports, records } from '#server/db/schema.ts'
import {
  act,
  createEmptyApp,
  csv,
  HEADER,
  IN,
  importFile,
  NONE,
  prepare,
  rowsOf,
} from '#server/import/test/import-file.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

describe('A revert', () => {
  it('deletes unchanged created records, keeps the others, and lists them', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { client: other } = await fellowOf(test)
    const names = ['Ann Ash', 'Ben Birch', 'Cat Cole', 'Fay Fir', 'Dan Dorn', 'Eve Elm']
    const done = await importFile(client, csv(HEADER, ...names.map((name) => `${name},,,`)))
    const [ann, ben, cat, fay, dan] = (await rowsOf(client, done.id)).map(({ recordId }) => recordId)
    await client.put(`/api/founders/${ann}`, { rating: 9 })
    await other.post(`/api/notes/founder/${ben}`, { content: 'Called' })
    await other.post(`/api/records/${cat}/finders`, {})
    const company = await makeCompany(test.db, { name: 'Ash Analytics' })
    await other.put(`/api/founders/${fay}/companies/${company.id}`, {})
    await client.delete(`/api/founders/${dan}`)
    const reverted = await act(client, done.id, 'revert')
    expect(reverted).toMatchObject({ state: 'reverted', counts: { ...NONE, reverted: 2, kept: 4 }, done: 6, total: 6 })
    expect((await client.get('/api/founders')).body.map(({ name }: { name: string }) => name).sort()).toEqual(
      names.slice(0, 4),
    )
    expect(await rowsOf(client, done.id, 'outcome=kept')).toMatchObject([
      { row: 2, recordId: ann, faults: [{ sentence: 'Edited since the import' }] },
      { row: 3, recordId: ben },
      { row: 4, recordId: cat },
      { row: 5, recordId: fay },
    ])
  })

  it('lists the records that it deletes with the import, and not among those that a person has deleted', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test, { role: 'manager' })
    const done = await importFile(client, csv(HEADER, 'Ann Ash,,,'))
    expect((await act(client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
    expect((await client.get('/api/programme/deleted')).body).toEqual([])
  })

  it('restores updated fields that still have the imported value', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const before = { creator: account, linkedIn: `${IN}ann`, name: 'Ann', notes: 'Old', rating: 8 }
    const { id } = await makeFounder(test.db, before)
    await makeFounder(test.db, { ...before, linkedIn: `${IN}ben`, name: 'Ben' })
    const file = csv(HEADER, `Ann Ash,${IN}ann,New,3`, `Ben Birch,${IN}ben,New,3`)
    const done = await importFile(client, file, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 2 })
    await client.put(`/api/founders/${id}`, { notes: 'Newer' })
    const reverted = await act(client, done.id, 'revert')
    expect(reverted.counts).toEqual({ ...NONE, reverted: 1, kept: 1 })
    expect((await client.get('/api/founders?search=ann')).body).toMatchObject([
      { name: 'Ann', notes: 'Newer', rating: 8, version: 4 },
    ])
    expect((await client.get('/api/founders?search=ben')).body).toMatchObject([
      { name: 'Ben', notes: 'Old', rating: 8 },
    ])
  })

  it('keeps a record that another was merged into, or that was merged away', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const done = await importFile(client, csv(HEADER, 'Ann Ash,,,', 'Ben Birch,,,'))
    const [survivor, gone] = (await rowsOf(client, done.id)).map(({ recordId }) => recordId)
    const other = await makeFounder(test.db, { creator: account })
    const merge = (survivorId?: string, duplicateId?: string) =>
      client.post('/api/records/merge', {
        ...{ survivorId, duplicateId, choices: {} },
        versions: { [survivorId ?? '']: 1, [duplicateId ?? '']: 1 },
      })
    expect((await merge(survivor, other.id)).status).toBe(200)
    const target = await makeFounder(test.db, { creator: account })
    expect((await merge(target.id, gone)).status).toBe(200)
    const reverted = await act(client, done.id, 'revert')
    expect(reverted.counts).toEqual({ ...NONE, kept: 2 })
    expect(await rowsOf(client, done.id)).toMatchObject([
      { faults: [{ sentence: 'Edited since the import' }] },
      { faults: [{ sentence: 'Merged into another record since the import' }] },
    ])
  })

  it('of an import that failed counts only the rows that had run', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, csv(HEADER, 'Ann Ash,,,', 'Ben Birch,,,'))
    await test.db.update(imports).set({ state: 'failed', startedAt: new Date(), counts: {} }).where(eq(imports.id, id))
    expect(await act(client, id, 'revert')).toMatchObject({ state: 'reverted', counts: NONE, done: 0, total: 0 })
  })

  it('deletes the file, and the same file can be imported again', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const file = csv(HEADER, 'Ann Ash,,,')
    const done = await importFile(client, file)
    expect(await test.db.$count(importFiles)).toBeGreaterThan(0)
    await act(client, done.id, 'revert')
    const left = (await test.db.select().from(importFiles)).filter(({ importId }) => importId === done.id)
    expect(left).toEqual([])
    expect((await importFile(client, file)).counts).toEqual({ ...NONE, created: 1 })
  })

  it('takes back enriched values and their sources, and a first rating', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const bare = { creator: account, linkedIn: `${IN}ann`, name: 'Ann', notes: 'Known' }
    const { id } = await makeFounder(test.db, bare)
    await test.db.update(records).set({ isRated: false }).where(eq(records.id, id))
    const enrichment = { current_company: 'Old', bio: 'Bio' }
    const ben = await makeFounder(test.db, { ...bare, linkedIn: `${IN}ben`, name: 'Ben', enrichment })
    const sources = { current_company: { provider: 'harmonic', at: '2025-01-01T00:00:00.000Z' } }
    await test.db.update(records).set({ enrichment: { sources } }).where(eq(records.id, ben.id))
    const before = await test.db.select().from(records).orderBy(records.id)
    const file = csv('Name,LinkedIn,Company,Title,Rating', `Ann,${IN}ann,Acme,CEO,9`, `Ben,${IN}ben,New,CTO,`)
    const done = await importFile(client, file, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 2 })
    expect((await client.get('/api/founders?search=acme')).body).toMatchObject([{ rating: 9, isRated: true }])
    expect((await act(client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 2 })
    const facts = ({
      id,
      rating,
      isRated,
      additionalInfo,
      enrichment: { sources = {} },
      searchText,
    }: typeof records.$inferSelect) => ({ id, rating, isRated, additionalInfo, sources, searchText })
    expect((await test.db.select().from(records).orderBy(records.id)).map(facts)).toEqual(before.map(facts))
  })

  it('keeps an enriched value and a rating that were changed since', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    const { id } = await makeFounder(test.db, { creator: account, linkedIn: `${IN}ann`, name: 'Ann', notes: 'Known' })
    await test.db.update(records).set({ isRated: false }).where(eq(records.id, id))
    const file = csv('Name,LinkedIn,Company,Title,Rating', `Ann,${IN}ann,Acme,CEO,9`)
    const done = await importFile(client, file, { duplicates: 'update' })
    await client.put(`/api/founders/${id}`, { rating: 3 })
    const info = { current_company: 'Changed', current_title: 'CEO' }
    await test.db.update(records).set({ additionalInfo: info }).where(eq(records.id, id))
    const reverted = await act(client, done.id, 'revert')
    expect(reverted.counts).toEqual({ ...NONE, kept: 1 })
    const { additionalInfo, ...record } = (await client.get(`/api/founders/${id}`)).body
    expect(record).toMatchObject({ rating: 3, isRated: true })
    expect(JSON.parse(additionalInfo)).toEqual({ current_company: 'Changed' })
  })

  it('leaves out rows that a cancelled import has not reached', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    await makeFounder(test.db, { creator: account, linkedIn: `${IN}ann`, name: 'Ann', notes: 'Known' })
    const file = csv(HEADER, `Ann,${IN}ann,New,`, 'Ben Birch,,,')
    const { id } = await prepare(client, file, { duplicates: 'update' })
    const cancelled = { state: 'failed' as const, startedAt: new Date(), counts: {}, lastRow: 9 }
    await test.db.update(imports).set(cancelled).where(eq(imports.id, id))
    expect(await act(client, id, 'revert')).toMatchObject({ state: 'reverted', counts: NONE, done: 0 })
    expect((await client.get('/api/founders')).body).toMatchObject([{ notes: 'Known', version: 1 }])
  })
})
