import { eq, sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { at } from '#server/db/schema/columns.ts'
import { auditLog, records } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { recordData } from '#server/record-features.ts'
import { dataIn } from '#server/records/record-data.ts'
import { unlistedColumns } from '#server/records/test/unlisted-columns.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { mergeRecords, undoMerge } from './store.ts'

// What a new table of a record needs: its migration, a call that attaches the triggers, and an entry of record data.

const reminders = pgTable('reminders', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').notNull(),
  content: text('content').notNull(),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
})
const entry = dataIn(reminders, {
  ...{ record: ['recordId'], merge: 'moved', added: { what: 'reminder', at: 'createdAt' }, erasure: 'deleted' },
  report: { id: 'shown', recordId: 'shown', kind: 'shown', content: 'shown', createdAt: 'shown' },
})
const data = [...recordData, entry]

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
  await test.db.execute(sql`create table reminders (
    id uuid primary key, record_id uuid not null, kind text not null, content text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    foreign key (record_id, kind) references records (id, kind) on delete cascade)`)
  await test.db.execute(sql`select attach_record_triggers('reminders', 'reminder', '{content}')`)
})
afterAll(() => test.close())

it('A new table of a record is moved by a merge, brought back by its undo, and in the audit log, by one entry and one call', async () => {
  const { db } = test
  const { account } = await fellowOf(test)
  const [survivor, duplicate] = [
    await makeFounder(db, { creator: account }),
    await makeFounder(db, { creator: account }),
  ]
  const remind = async (recordId: string, content: string) => {
    const id = uuidv7()
    await withActor(db, account, (tx) =>
      tx.insert(reminders).values({ id, recordId, kind: 'founder', content }).execute(),
    )
    return id
  }
  const ofRecord = async (id: string) =>
    (await db.select().from(reminders).where(eq(reminders.recordId, id))).map(({ content }) => content).toSorted()
  const versionOf = async (id: string) =>
    (await db.select({ version: records.version }).from(records).where(eq(records.id, id)))[0]?.version ?? 0

  await remind(survivor.id, 'Call')
  const moved = await remind(duplicate.id, 'Write')
  const mergeId = uuidv7()
  const versions = { [survivor.id]: await versionOf(survivor.id), [duplicate.id]: await versionOf(duplicate.id) }
  const input = { survivorId: survivor.id, duplicateId: duplicate.id, versions, choices: {}, canChoose: true }
  const merge = await withActor(db, account, (tx) => mergeRecords(tx, founderKind, account, mergeId, input, data))
  expect(merge?.moved).toMatchObject({ notes: [], reminders: [moved] })
  expect([await ofRecord(survivor.id), await ofRecord(duplicate.id)]).toEqual([['Call', 'Write'], []])

  const added = await remind(survivor.id, 'Meet')
  const kept = await undoMerge(db, founderKind, account, { id: mergeId }, data)
  expect([await ofRecord(survivor.id), await ofRecord(duplicate.id)]).toEqual([['Call', 'Meet'], ['Write']])
  expect(kept).toEqual([{ what: 'reminder', id: added, reason: 'Added after the merge' }])

  await withActor(db, account, async (tx) => {
    await tx.update(reminders).set({ content: 'Meet again' }).where(eq(reminders.id, added))
    await tx.update(reminders).set({ content: 'Meet again' }).where(eq(reminders.id, added))
    await tx.delete(reminders).where(eq(reminders.id, added))
  })
  const log = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.objectId, survivor.id))
    .orderBy(auditLog.at, auditLog.id)
  expect(log.filter(({ action }) => action.endsWith('-reminder'))).toMatchObject([
    { action: 'add-reminder', accountId: account.id, before: null, after: { content: 'Call' } },
    { action: 'add-reminder', after: { content: 'Meet' } },
    { action: 'update-reminder', before: { content: 'Meet' }, after: { content: 'Meet again' } },
    { action: 'delete-reminder', before: { content: 'Meet again' }, after: null },
  ])
})

it('A table of a record without an entry is found', async () => {
  expect(await unlistedColumns(test.db, data)).toEqual([])
  expect(await unlistedColumns(test.db, recordData)).toEqual(
    ['id', 'record_id', 'kind', 'content', 'created_at'].map((column) => `reminders.${column}`),
  )
})
