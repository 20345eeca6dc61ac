import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { attempts } from '#server/db/schema.ts'

/** Lets time pass for everything that is counted, without waiting for it. */
export const advanceThrottle = (db: Database, seconds: number) =>
  db.update(attempts).set({
    blockedUntil: sql`${attempts.blockedUntil} - make_interval(secs => ${seconds})`,
    forgetAt: sql`${attempts.forgetAt} - make_interval(secs => ${seconds})`,
  })
