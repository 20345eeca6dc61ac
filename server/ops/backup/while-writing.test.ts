import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { everyRow } from '#server/db/test/every-row.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { restore } from './test/restore.ts'
import { writeBackup } from './write.ts'

let folder: string
let database: OpenDatabase
let fellow: Account
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-writing-'))
  database = await openTestDatabase()
  fellow = await makeAccount(database.db)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Adds founders, companies and notes, and deletes notes, until `stop`, which returns the changes. */
function startWriting(db: Database) {
  let isOver = false
  let done = 0
  const write = async () => {
    const kept: string[] = []
    while (!isOver) {
      const { id: founder } = await makeFounder(db, { creator: fellow })
      const { id: company } = await makeCompany(db, { creator: fellow })
      kept.push(
        (await makeNote(db, { founder, author: fellow })).id,
        (await makeNote(db, { company, author: fellow })).id,
      )
      if (done % 3 === 0) await db.execute(sql`delete from notes where id = ${kept.shift()}`)
      done += 1
    }
  }
  const writers = [write(), write(), write()]
  return {
    done: () => done,
    stop: async () => {
      isOver = true
      await Promise.all(writers)
    },
  }
}

/** Inconsistencies that would exist if the backup were not one snapshot. */
const contradictions = (db: Database) =>
  rowsOf(
    db,
    sql`select 'record' as what, id from records
        where notes_count <> (select count(*) from notes where record_id = records.id)
      union all select 'counter', creator_id from counters counter
        where added <> (
          select count(*) from records where creator_id = counter.creator_id and records.kind = counter.kind
        ) or mine <> (
          select count(*) from record_members where account_id = counter.creator_id and record_members.kind = counter.kind
        )`,
  )

describe('A backup that is made while people write', { timeout: 240_000 }, () => {
  it('is one snapshot, contains all earlier data, and blocks no request', { tags: 'slow' }, async () => {
    const { db } = database
    const before = await makeFounder(db, { creator: fellow, name: 'There before' })
    const writing = startWriting(db)
    while (writing.done() < 20) await new Promise((resolve) => setTimeout(resolve, 20))
    const file = join(folder, 'one.backup')
    const begun = writing.done()
    await writeBackup(database, file)
    const meanwhile = writing.done() - begun
    await writing.stop()
    expect(meanwhile).toBeGreaterThan(0)

    const place = await openBareDatabase()
    onTestFinished(() => place.close())
    await restore(place, file)
    expect(await contradictions(place.db)).toEqual([])
    const rows = await everyRow(place.db)
    expect(rows.counters?.length).toBe(2)
    expect(rows.records?.length).toBeGreaterThan(begun)
    expect(rows.records?.some((row) => row.includes(before.id))).toBe(true)
    const [now] = await rowsOf<{ count: number }>(db, sql`select count(*)::int as count from records`)
    expect(rows.records?.length).toBeLessThanOrEqual(now?.count ?? 0)
  })
})
