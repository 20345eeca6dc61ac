import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { restore } from '#server/ops/backup/test/restore.ts'
import { writeBackup } from '#server/ops/backup/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { readFeed } from './feed.ts'
import { type FeedServer, openAt, startFeedServer } from './test/own-server.ts'
import { waitForFeed } from './test/reader.ts'

let server: FeedServer
beforeAll(async () => {
  server = await startFeedServer()
})
afterAll(() => server.stop())

/** A database with a record, and the cursor of the end of its feed. */
async function world() {
  const database = openAt(await server.migrated())
  await makeFounder(database.db)
  await waitForFeed(database.db)
  const { entries, next } = await readFeed(database.db, undefined, 500)
  expect(entries).toHaveLength(1)
  return { database, next }
}

/** Refuses the cursor, has nothing older, and has what is new. */
async function expectNewFeed({ db }: OpenDatabase, cursor: string) {
  await expect(readFeed(db, cursor, 500)).rejects.toMatchObject({ status: 410, answer: { code: 'start_over' } })
  expect((await readFeed(db, undefined, 500)).entries).toEqual([])
  const { id } = await makeFounder(db)
  await waitForFeed(db)
  const { entries, next } = await readFeed(db, undefined, 500)
  expect(entries).toMatchObject([{ event: 'founder.created', record: id }])
  const old = sql`select from audit_log where object_id is distinct from ${id} and transaction_id > '0'`
  expect(await rowsOf(db, old)).toEqual([])
  return next
}

describe('The feed begins again, and earlier cursors are 410', () => {
  it('after a restore, with and without the sessions', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sourcebook-feed-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { database, next } = await world()
    onTestFinished(() => database.close())
    const file = join(folder, 'one.backup')
    await writeBackup(database, file)
    for (const keepsSessions of [true, false]) {
      const place = openAt(await server.newDatabase())
      onTestFinished(() => place.close())
      await restore(place, file, { keepsSessions })
      await expectNewFeed(place, next)
    }
    // Where the backup came from, everything is as before, until it is restored there.
    expect(await readFeed(database.db, next, 500)).toEqual({ entries: [], next })
    await database.execute('drop schema public cascade; create schema public')
    await restore(database, file)
    await expectNewFeed(database, next)
  })

  it('at the first start after a move by a dump, and not at the next one', async () => {
    const { database, next } = await world()
    const [here] = await rowsOf<{ name: string }>(database.db, sql`select current_database() as name`)
    await database.close()
    // A copy has what a dump has: all rows, and another database.
    const moved = openAt(await server.newDatabase(here?.name))
    onTestFinished(() => moved.close())
    await migrate(moved.db)
    const cursor = await expectNewFeed(moved, next)
    await migrate(moved.db)
    expect(await readFeed(moved.db, cursor, 500)).toEqual({ entries: [], next: cursor })
  })
})
