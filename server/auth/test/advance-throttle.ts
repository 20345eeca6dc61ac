import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { attempts } from '#server/db/schema.ts'

/** Advances the time of all counters without waiting. */
export const advanceThrottle = (db: Database, seconds: number) =>
  db.update(attempts).set({
    blockedUntil: sql`${attempts.blockedUntil} - make_interval(secs => ${seconds})`,
    forgetAt: sql`${attempts.forgetAt} - make_interval(secs => ${seconds})`,
  })
