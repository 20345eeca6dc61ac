import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { tries } from '#server/db/schema.ts'

/** Lets time pass for everything that is counted, without waiting for it. */
export const letPass = (db: Database, seconds: number) =>
  db.update(tries).set({
    blockedUntil: sql`${tries.blockedUntil} - make_interval(secs => ${seconds})`,
    forgetAt: sql`${tries.forgetAt} - make_interval(secs => ${seconds})`,
  })
