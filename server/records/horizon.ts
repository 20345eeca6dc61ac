import { sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { type Database, rowsOf } from '#server/db/database.ts'

/** Until when what an answer shows is seen, as the page sends it back. */
export const SEEN_UNTIL = 'x-seen-until'

/** With an answer that was read after the horizon was taken. In milliseconds. */
export const sendHorizon = (reply: FastifyReply, until: number) =>
  reply.header(SEEN_UNTIL, new Date(until).toISOString())

/**
 * Until when everything that was done can be read, in milliseconds. Rows have the time at which their transaction began, and are visible
 * when it ends: what is still running may add earlier ones. Transactions that take longer than ten seconds read, such as a
 * backup.
 */
export async function getHorizon(db: Database): Promise<number> {
  const [row] = await rowsOf<{ until: string }>(
    db,
    sql`select to_json(date_trunc('milliseconds', least(now(), (
        select min(xact_start) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start > now() - interval '10 seconds'
      ))) - interval '1 millisecond') #>> '{}' as until`,
  )
  return new Date(row?.until ?? 0).getTime()
}

/** How long a horizon serves further answers. An earlier one is as right: what was done since stays unread. */
const SHARED_MS = 100
const shared = new WeakMap<Database, { takenAt: number; horizon: Promise<number> }>()

/** As `getHorizon`, for an answer that is asked for often: the answers of a tenth of a second share one. */
export function getSharedHorizon(db: Database): Promise<number> {
  const now = performance.now()
  const last = shared.get(db)
  if (last !== undefined && now - last.takenAt < SHARED_MS) return last.horizon
  const horizon = getHorizon(db)
  shared.set(db, { takenAt: now, horizon })
  return horizon
}
