import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, rowsOf } from '#server/db/database.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { letterFor } from './letter.ts'
import { getPerson, type PersonRow } from './store.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp({ PROGRAMME_NAME: 'Example Fellows', CONTACT: 'Grace (grace@example.com)' })
  manager = await fellowOf(test, { role: 'manager', name: 'Maya Okafor' })
})
afterAll(() => test.close())

const PATH = '/api/programme/privacy'
type Row = { id: string; name: string; email: string | null; addedAt: string; dueAt: string }
const listed = async (): Promise<Row[]> => (await manager.client.get(`${PATH}/uninformed?limit=500`)).body
const isListed = async (id: string) => (await listed()).some((row) => row.id === id)
const mark = (ids: string[], isInformed = true) => manager.client.put(`${PATH}/informed`, { ids, isInformed })
const letterOf = async (id: string) => (await manager.client.get(`${PATH}/uninformed/${id}/letter`)).body

const actsOn = (db: Database, id: string) =>
  rowsOf<{ action: string; by: string }>(
    db,
    sql`select action, account_email as by from audit_log where object_id = ${id} and action like '%inform' order by at, id`,
  )

describe('Informing founders', () => {
  it('lists those who were not informed, the first due first, due one month after the record came', async () => {
    const older = await makeFounder(test.db, { createdAt: new Date('2025-01-31T10:00:00Z') })
    const newer = await makeFounder(test.db, { enrichment: { email: 'ada@example.com' } })
    const company = await makeCompany(test.db)
    const rows = await listed()
    expect(rows[0]).toMatchObject({ id: older.id, dueAt: '2025-02-28T10:00:00.000Z', email: null })
    expect(rows.map(({ dueAt }) => dueAt)).toEqual(rows.map(({ dueAt }) => dueAt).toSorted())
    expect(rows.find(({ id }) => id === newer.id)).toMatchObject({ email: 'ada@example.com' })
    expect(rows.some(({ id }) => id === company.id)).toBe(false)
  })

  it('counts them, and those that are late', async () => {
    const countOf = async () => (await manager.client.get(`${PATH}/uninformed/count`)).body
    const before = await countOf()
    await makeFounder(test.db, { createdAt: new Date('2025-01-31T10:00:00Z') })
    await makeFounder(test.db)
    expect(await countOf()).toEqual({ toInform: before.toInform + 2, late: before.late + 1 })
  })

  it('marks one or several as informed and takes that back, in the history of each, and keeps their version', async () => {
    const [one, two] = [await makeFounder(test.db), await makeFounder(test.db)]
    const company = await makeCompany(test.db)
    const { status, body } = await mark([one.id, two.id, company.id, crypto.randomUUID()])
    expect([status, body.ids.toSorted()]).toEqual([200, [one.id, two.id].toSorted()])
    expect((await mark([one.id])).body).toEqual({ ids: [] })
    expect([await isListed(one.id), await isListed(two.id)]).toEqual([false, false])
    expect((await mark([one.id], false)).body).toEqual({ ids: [one.id] })
    expect([await isListed(one.id), await isListed(two.id)]).toEqual([true, false])
    const by = manager.account.email
    expect(await actsOn(test.db, one.id)).toEqual([
      { action: 'inform', by },
      { action: 'undo-inform', by },
    ])
    const { body: history } = await manager.client.get(`/api/founders/${one.id}/history`)
    expect(history.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual(['undo-inform', 'inform'])
    expect((await manager.client.get(`/api/founders/${one.id}`)).body.version).toBe(1)
  })

  it('is for managers, and takes 1 to 500 ids', async () => {
    const fellow = await fellowOf(test)
    const { id } = await makeFounder(test.db)
    for (const path of ['/uninformed', '/uninformed/export', `/uninformed/${id}/letter`])
      expect((await fellow.client.get(PATH + path)).status).toBe(403)
    expect((await fellow.client.put(`${PATH}/informed`, { ids: [id], isInformed: true })).status).toBe(403)
    const many = Array.from({ length: 501 }, () => crypto.randomUUID())
    for (const ids of [[], ['x'], many]) expect((await mark(ids)).body.fields).toHaveProperty('ids')
    expect((await manager.client.put(`${PATH}/informed`, { ids: [id] })).body.fields).toHaveProperty('isInformed')
    expect(await isListed(id)).toBe(true)
  })

  it('counts a founder as informed whose duplicate was, until the merge is undone', async () => {
    const { account, client } = await fellowOf(test)
    const [kept, informed] = [
      await makeFounder(test.db, { creator: account }),
      await makeFounder(test.db, { creator: account }),
    ]
    await mark([informed.id])
    const merged = await merge(client, kept as never, informed as never)
    expect(merged.status).toBe(200)
    expect(await isListed(kept.id)).toBe(false)
    expect((await undo(client, merged.body.mergeId)).body.keptOnSurvivor).toEqual([])
    expect([await isListed(kept.id), await isListed(informed.id)]).toEqual([true, false])
  })

  it('lists a mark that came after a merge as kept on the survivor by its undo', async () => {
    const { account, client } = await fellowOf(test)
    const [kept, other] = [
      await makeFounder(test.db, { creator: account }),
      await makeFounder(test.db, { creator: account }),
    ]
    const merged = await merge(client, kept as never, other as never)
    await mark([kept.id])
    expect((await undo(client, merged.body.mergeId)).body.keptOnSurvivor).toEqual([
      { what: 'information', id: kept.id, reason: 'Added after the merge' },
    ])
    expect([await isListed(kept.id), await isListed(other.id)]).toEqual([false, true])
  })

  it('keeps the mark of a deleted record that comes back, and shows it in the report, by role', async () => {
    const { account } = manager
    const { id } = await makeFounder(test.db, { creator: account, name: 'Wilhelmina Informed' })
    await mark([id])
    expect((await manager.client.delete(`/api/founders/${id}`)).status).toBe(204)
    expect((await manager.client.post(`/api/programme/deleted/${id}/restore`, {})).status).toBe(200)
    expect(await isListed(id)).toBe(false)
    const [{ ref }] = (await manager.client.post(`${PATH}/search`, { names: ['Wilhelmina Informed'] })).body
    const { tables } = (await manager.client.post(`${PATH}/report`, { refs: [ref] })).body
    const [row] = tables.find(({ table }: { table: string }) => table === 'records').rows
    expect(row).toMatchObject({ informedAt: expect.stringMatching(/^\d{4}-/), informedBy: 'a manager' })
  })
})

describe('The letter to a founder', () => {
  it('has the name, what is held, from whom, the rights, the programme and whom to ask', async () => {
    const founder = await makeFounder(test.db, {
      name: 'Ada King',
      enrichment: { email: 'ada@example.com', bio: 'Wrote the first program' },
    })
    await makeNote(test.db, { founder: founder.id })
    await test.db.execute(sql`update records set enrichment = jsonb_build_object('sources', jsonb_build_object(
      'bio', jsonb_build_object('provider', 'harmonic', 'at', '2026-01-01T00:00:00Z'),
      'email', jsonb_build_object('provider', 'person', 'at', '2026-01-01T00:00:00Z'))) where id = ${founder.id}`)
    const { to, subject, text } = await letterOf(founder.id)
    expect([to, subject]).toEqual(['ada@example.com', 'What Example Fellows keeps about you'])
    for (const part of [
      'Dear Ada King,',
      '- the address of your LinkedIn profile\n- notes on how we met\n- a short biography\n- your email address\n',
      '- further notes of our fellows\n',
      '- a fellow of our programme\n- Harmonic\n',
      'correct, restrict or erase',
      'data protection authority',
      'write to Grace (grace@example.com).',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('your picture')
    expect(text).not.toContain('- person')
  })

  it('names the programme where there is no contact', async () => {
    const { id } = await makeFounder(test.db)
    const person = (await getPerson(test.db, id)) as PersonRow
    expect(letterFor(person, { programmeName: 'Example Fellows', contact: undefined }).text).toContain(
      'write to Example Fellows.',
    )
  })

  it('is 404 for what is no founder', async () => {
    const { id } = await makeCompany(test.db)
    for (const one of [id, crypto.randomUUID(), 'x'])
      expect((await manager.client.get(`${PATH}/uninformed/${one}/letter`)).status).toBe(404)
  })
})

describe('The file of founders to inform', () => {
  it('has all of them, safe for spreadsheets, asks for the password, and is in the history with its filter', async () => {
    const { id } = await makeFounder(test.db, { name: '=1+1', linkedIn: 'https://www.linkedin.com/in/in-file' })
    const informed = await makeFounder(test.db, { linkedIn: 'https://www.linkedin.com/in/not-in-file' })
    await mark([informed.id])
    const { status, text, headers } = await manager.client.get(`${PATH}/uninformed/export`)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFFname,email,linkedIn,addedAt,dueAt,held,sources')
    expect(lines).toHaveLength((await listed()).length + 1)
    const line = lines.find((one) => one.includes('/in-file'))
    expect(line).toMatch(/^'=1\+1,/)
    expect(text).not.toContain('not-in-file')
    expect(await isListed(id)).toBe(true)
    const [entry] = await rowsOf(
      test.db,
      sql`select kind, detail from audit_log where action = 'export' order by at desc limit 1`,
    )
    expect(entry).toEqual({ kind: 'founder', detail: { format: 'csv', isInformed: false } })
    await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)
    expect((await manager.client.get(`${PATH}/uninformed/export`)).body.code).toBe('confirm')
  })

  it('has more than one batch, each founder once', { tags: 'slow' }, async () => {
    await test.db.execute(sql`insert into records (id, kind, name, linked_in, notes, rating, search_text, created_at)
      select gen_random_uuid(), 'founder', 'Many ' || number, '', '', 5, '', now() from generate_series(1, 1100) number`)
    const again = await fellowOf(test, { role: 'manager' })
    const { text } = await again.client.get(`${PATH}/uninformed/export`)
    const names = text.split('\r\n').flatMap((line) => (line.startsWith('Many ') ? line.split(',')[0] : []))
    expect([names.length, new Set(names).size]).toEqual([1100, 1100])
  })
})
