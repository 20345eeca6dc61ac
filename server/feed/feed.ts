import type { Feed, FeedEntry } from '#contract/feed.ts'
import { PAGE_MAX } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { AppError, startOver } from '#server/http/errors.ts'
import { cursorAt, type FeedState, type Position, positionAt } from './cursor.ts'
import { presentFeedRow } from './present.ts'
import { findEnd, findStart, getFeedState, listFeedRows } from './store.ts'

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

/** The cursor of what comes next. */
export async function endOfFeed(db: Database): Promise<string> {
  const state = await getFeedState(db)
  return cursorAt(state, await findEnd(db, state))
}

/** Pages that are read for an entry, before the next look goes on from there. */
const PAGES_MAX = 20

/**
 * Whether there is an entry after a cursor, and until where that is known. Where the feed has begun again meanwhile, `from` is its
 * beginning.
 */
export async function findNews(
  db: Database,
  cursor: string,
): Promise<{ hasNews: boolean; from: string; until: string }> {
  const end = await endOfFeed(db)
  try {
    let until = cursor
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page = await readFeed(db, until, PAGE_MAX)
      if (page.entries.length > 0) return { hasNews: true, from: cursor, until: end }
      if (page.next === until) break
      until = page.next
    }
    return { hasNews: false, from: cursor, until }
  } catch (error) {
    if (!(error instanceof AppError && error.answer.code === startOver().answer.code)) throw error
    const state = await getFeedState(db)
    return { hasNews: true, from: cursorAt(state, await findStart(db, state)), until: end }
  }
}

/** Throws the 410 for a reader who has been away for longer than the feed goes back. */
async function refuseLate(db: Database, state: FeedState, next: Position): Promise<void> {
  const start = await findStart(db, state)
  if (BigInt(next.transaction) < BigInt(start.transaction)) throw startOver()
}
