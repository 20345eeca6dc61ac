import type { Feed, FeedEntry } from '#contract/feed.ts'
import type { Database } from '#server/db/database.ts'
import { startOver } from '#server/http/errors.ts'
import { cursorAt, type FeedState, type Position, positionAt } from './cursor.ts'
import { presentFeedRow } from './present.ts'
import { findStart, getFeedState, listFeedRows } from './store.ts'

/** The entries after a cursor, at most `limit`, and the cursor of what comes after them. */
export async function readFeed(db: Database, cursor: string | undefined, limit: number): Promise<Feed> {
  const state = await getFeedState(db)
  const from = cursor === undefined ? await findStart(db, state) : positionAt(state, cursor)
  const entries: FeedEntry[] = []
  let next: Position = from
  const rows = await listFeedRows(db, state, from, limit)
  if (rows[0]?.isTooOld) await refuseLate(db, state, rows[0])
  for (const row of rows) {
    const given = row.id === from.id ? (from.given ?? 0) : 0
    const left = presentFeedRow(row).slice(given)
    const taken = left.slice(0, limit - entries.length)
    entries.push(...taken)
    next = {
      transaction: row.transaction,
      id: row.id,
      given: taken.length < left.length ? given + taken.length : undefined,
    }
    if (entries.length === limit) break
  }
  return { entries, next: cursorAt(state, next) }
}

/** Throws the 410 for a reader who has been away for longer than the feed goes back. */
async function refuseLate(db: Database, state: FeedState, next: Position): Promise<void> {
  const start = await findStart(db, state)
  if (BigInt(next.transaction) < BigInt(start.transaction)) throw startOver()
}
