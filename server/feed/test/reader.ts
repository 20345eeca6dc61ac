import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Feed, FeedEntry } from '#contract/feed.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import type { TestClient } from '#server/test/test-app.ts'

/** Waits until everything that was committed is in the feed. A transaction that another test has open holds it back. */
export async function waitForFeed(db: Database): Promise<void> {
  const [now] = await rowsOf<{ last: string }>(db, sql`select pg_snapshot_xmax(pg_current_snapshot())::text as last`)
  for (let tries = 0; tries < 1_000; tries += 1) {
    const [row] = await rowsOf<{ isPast: boolean }>(
      db,
      sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.last}::xid8 as "isPast"`,
    )
    if (row?.isPast) return
    await pause(20)
  }
  throw new Error('A transaction holds the feed back')
}

/** One page. */
export async function feedPage(client: TestClient, cursor?: string, limit = 500): Promise<Feed> {
  const { status, body } = await client.get(`/api/feed?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

/** Everything that is there after a cursor, and the last cursor. */
export async function readFeedOn(client: TestClient, from?: string, limit?: number): Promise<Feed> {
  const entries: FeedEntry[] = []
  let cursor = from
  for (;;) {
    const page = await feedPage(client, cursor, limit)
    entries.push(...page.entries)
    if (page.next === cursor) return { entries, next: cursor }
    cursor = page.next
  }
}
