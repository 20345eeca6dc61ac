import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { makeFounder } from '#server/test/factories.ts'
import { readFeed } from './feed.ts'
import { type FeedServer, openAt, startFeedServer } from './test/own-server.ts'
import { waitForFeed } from './test/reader.ts'

/** `npm run test:long -- measured` does the larger number, and ends PostgreSQL in the middle of it too. */
const ACTS = process.env.LONG ? 10_000 : 400
const WRITERS = 10
const PROCESSES = 2
/** The length of a page of each reader. */
const READERS = [1, 7, 100, 500]

let server: FeedServer
let url: string
let database: OpenDatabase
beforeAll(async () => {
  server = await startFeedServer({ durable: Boolean(process.env.LONG), settings: { autovacuum: 'on' } })
  url = await server.migrated()
  database = openAt(url, 8)
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

let seed = 0
/** A process with half of the writers. */
function startWriters(): ChildProcess {
  seed += 100
  const args = [join(import.meta.dirname, 'test/writer.mjs'), url, String(WRITERS / PROCESSES), String(seed)]
  return spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] })
}

/** Follows the feed like a program, and keeps its cursor over failures of the database. */
function startReader(db: Database, limit: number) {
  const ids: string[] = []
  let isStopped = false
  const read = async () => {
    let cursor: string | undefined
    for (;;) {
      const isLast = isStopped
      const page = await readFeed(db, cursor, limit).catch(() => undefined)
      if (page === undefined) {
        await pause(50)
        continue
      }
      ids.push(...page.entries.map(({ id }) => id))
      if (page.next === cursor) {
        if (isLast) return ids
        await pause(5)
      }
      cursor = page.next
    }
  }
  const done = read()
  return {
    /** Everything that it got, once it has read to the end. */
    stop: () => {
      isStopped = true
      return done
    },
  }
}

const isWritten = sql`transaction_id > '0' and action in ('create', 'update', 'add-note', 'delete-note')
  and (before is not null or after is not null)`
const countActs = async (db: Database): Promise<number> => {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from audit_log where ${isWritten}`,
  ).catch(() => [])
  return row?.count ?? 0
}

describe('Ten writers with long and short transactions, rollbacks and kill -9', () => {
  it('every reader gets each entry once, none is missed, and all in the same order', {
    tags: 'slow',
    timeout: 1_800_000,
  }, async () => {
    const { db } = database
    for (let made = 0; made < 40; made += 1) await makeFounder(db)
    const readers = READERS.map((limit) => startReader(db, limit))
    const writers = Array.from({ length: PROCESSES }, startWriters)
    let kills = 0
    for (let turn = 0; (await countActs(db)) < ACTS; turn += 1) {
      await pause(1_500)
      if (process.env.LONG && turn === 4) {
        await server.end('SIGKILL')
        await server.start()
      }
      const at = turn % PROCESSES
      const [writer] = writers.splice(at, 1)
      if (writer?.exitCode === null) {
        writer.kill('SIGKILL')
        await once(writer, 'exit')
        kills += 1
      }
      writers.splice(at, 0, startWriters())
    }
    for (const writer of writers) writer.kill('SIGKILL')
    await expect.poll(() => countRunning(db)).toBe(0)
    await waitForFeed(db)
    const got = await Promise.all(readers.map((reader) => reader.stop()))
    const expected = await rowsOf<{ id: string }>(
      db,
      sql`select id from audit_log where ${isWritten} order by transaction_id, id`,
    )
    expect(expected.length).toBeGreaterThanOrEqual(ACTS)
    expect(kills).toBeGreaterThan(0)
    for (const ids of got) expect(ids).toEqual(expected.map(({ id }) => id))
    const [shape] = await rowsOf<{ transactions: number; overlapping: boolean }>(
      db,
      sql`select count(distinct transaction_id::text)::int as transactions,
          exists (select from audit_log one join audit_log other
            on other.transaction_id > one.transaction_id and other.at < one.at - interval '5 ms' where one.transaction_id > '0'
          ) as overlapping
        from audit_log where ${isWritten}`,
    )
    // Otherwise any order would do.
    expect(shape).toMatchObject({ overlapping: true })
  })
})

/** The transactions of writers that PostgreSQL has not taken back yet. */
const countRunning = async (db: Database): Promise<number> => {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = '' and backend_type = 'client backend'`,
  )
  return row?.count ?? 0
}
