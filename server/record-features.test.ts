import { eq, sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import { at } from '#server/db/schema/columns.ts'
import { auditLog } from '#server/db/schema.ts'
import { act, csv, HEADER, importFile, NONE, rowsOf } from '#server/import/test/import-file.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { dataIn, namesIn } from '#server/records/record-data.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { recordData } from './record-features.ts'
import { unlistedColumns } from './records/test/unlisted-columns.ts'

describe('The tables of all features', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  it('list every column once, with its treatment in a merge, an erasure and an access report', async () => {
    expect(await unlistedColumns(database.db, recordData)).toEqual([])
    const listed = recordData
      .map(namesIn)
      .flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
    expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  })

  it('do not list a column that was added', async () => {
    await database.db.execute(sql`alter table pictures add column source text`)
    expect(await unlistedColumns(database.db, recordData)).toEqual(['pictures.source'])
  })
})

// A feature that only tests have: its table, one call that attaches its triggers, and its entry.

const reminders = pgTable('reminders', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').notNull(),
  content: text('content').notNull(),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
})
const reminderData = dataIn(reminders, {
  ...{ record: ['recordId'], merge: 'moved', added: { what: 'reminder', at: 'createdAt' }, erasure: 'deleted' },
  report: { id: 'shown', recordId: 'shown', kind: 'shown', content: 'shown', createdAt: 'shown' },
})

describe('A new feature with a table', () => {
  let test: TestApp
  let manager: Awaited<ReturnType<typeof fellowOf>>
  beforeAll(async () => {
    test = await startTestApp()
    manager = await fellowOf(test, { role: 'manager' })
    await installQueues(test.database)
    await test.db.execute(sql`create table reminders (
      id uuid primary key, record_id uuid not null, kind text not null, content text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      foreign key (record_id, kind) references records (id, kind) on delete cascade)`)
    await test.db.execute(sql`select attach_record_triggers('reminders', 'reminder', '{content}')`)
    recordData.push(reminderData)
  })
  afterAll(async () => {
    recordData.splice(recordData.indexOf(reminderData), 1)
    await test.close()
  })

  const founder = async (name: string): Promise<Row> => {
    const { id } = await makeFounder(test.db, { creator: manager.account, name })
    return (await manager.client.get(`/api/founders/${id}`)).body
  }
  const remind = async (recordId: string, content: string) => {
    const id = uuidv7()
    await withActor(test.db, manager.account, (tx) =>
      tx.insert(reminders).values({ id, recordId, kind: 'founder', content }).execute(),
    )
    return id
  }
  const ofRecord = async (id: string) =>
    (await test.db.select().from(reminders).where(eq(reminders.recordId, id))).map(({ content }) => content).toSorted()

  it('is moved by a merge, brought back by its undo, and in the audit log', { tags: 'slow' }, async () => {
    const [survivor, duplicate] = [await founder('Ada Lovelace'), await founder('Ada Lovelace')]
    await remind(survivor.id, 'Call')
    await remind(duplicate.id, 'Write')
    const merged = await merge(manager.client, survivor, duplicate)
    expect(merged.status).toBe(200)
    expect([await ofRecord(survivor.id), await ofRecord(duplicate.id)]).toEqual([['Call', 'Write'], []])

    const added = await remind(survivor.id, 'Meet')
    const undone = await undo(manager.client, merged.body.mergeId)
    expect(undone.body.keptOnSurvivor).toEqual([{ what: 'reminder', id: added, reason: 'Added after the merge' }])
    expect([await ofRecord(survivor.id), await ofRecord(duplicate.id)]).toEqual([['Call', 'Meet'], ['Write']])

    const isAdded = eq(reminders.id, added)
    await withActor(test.db, manager.account, async (tx) => {
      for (const content of ['Meet again', 'Meet again']) await tx.update(reminders).set({ content }).where(isAdded)
      await tx.delete(reminders).where(isAdded)
    })
    const isOfSurvivor = eq(auditLog.objectId, survivor.id)
    const log = await test.db.select().from(auditLog).where(isOfSurvivor).orderBy(auditLog.at, auditLog.id)
    expect(log.filter(({ action }) => action.endsWith('-reminder'))).toMatchObject([
      { action: 'add-reminder', accountId: manager.account.id, before: null, after: { content: 'Call' } },
      { action: 'add-reminder', after: { content: 'Meet' } },
      { action: 'update-reminder', before: { content: 'Meet' }, after: { content: 'Meet again' } },
      { action: 'delete-reminder', before: { content: 'Meet again' }, after: null },
    ])
  })

  it('keeps an imported record, to which it was added, when the import is reverted', { tags: 'slow' }, async () => {
    const { id, counts } = await importFile(manager.client, csv(HEADER, 'Vera Voss,,,', 'Wim Wolf,,,'))
    expect(counts).toEqual({ ...NONE, created: 2 })
    const [vera] = await rowsOf(manager.client, id)
    await remind(vera?.recordId as string, 'Call')
    expect((await act(manager.client, id, 'revert')).counts).toEqual({ ...NONE, reverted: 1, kept: 1 })
    expect(await rowsOf(manager.client, id, 'outcome=kept')).toMatchObject([{ row: 2 }])
  })

  it('is in the access report of a person, and erased with the record', async () => {
    const { id } = await founder('Quillon Marbeck')
    await remind(id, 'Write to Quillon')
    const privacy = (act: string, body: object) => manager.client.post(`/api/programme/privacy/${act}`, body)
    const found: Row[] = (await privacy('search', { names: ['Quillon Marbeck'] })).body
    const refs = found.map(({ ref }) => ref)
    const { tables } = (await privacy('report', { refs })).body
    const reported = tables.find(({ table }: Row) => table === 'reminders')
    expect(reported.rows).toMatchObject([{ recordId: id, content: 'Write to Quillon' }])

    expect((await privacy('erase', { refs, reason: 'asked' })).status).toBe(200)
    expect(await ofRecord(id)).toEqual([])
    const log = await test.db.select().from(auditLog).where(eq(auditLog.objectId, id))
    expect(JSON.stringify(log)).not.toContain('Quillon')
  })

  it('is found when it has no entry', async () => {
    const listed = recordData.filter((data) => data !== reminderData)
    expect(await unlistedColumns(test.db, listed)).toEqual(
      ['id', 'record_id', 'kind', 'content', 'created_at'].map((column) => `reminders.${column}`),
    )
  })
})
