import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'

// Jobs that wait or have ended, with their data. The queue makes its tables when it opens.

export type Job = { id: string; name: string; data: unknown; at: string }

async function hasQueue(db: Database): Promise<boolean> {
  const [row] = await rowsOf<{ isThere: boolean }>(db, sql`select to_regclass('pgboss.job') is not null as "isThere"`)
  return row?.isThere ?? false
}

export const jobsWith = async (
  db: Database,
  pattern: string,
  limit: number,
): Promise<{ id: string; excerpt: string }[]> =>
  (await hasQueue(db))
    ? rowsOf(
        db,
        sql`select id, left(data::text, 160) as excerpt from pgboss.job
          where person_text(data::text) ~ ${pattern} or person_text(output::text) ~ ${pattern} limit ${limit}`,
      )
    : []

/** The jobs with these ids, and those of the records. */
export const listJobs = async (db: Database, ids: string[], records: string[]): Promise<Job[]> =>
  (await hasQueue(db))
    ? rowsOf(db, sql`select id, name, data, created_on as at from pgboss.job where ${isOneOf(ids, records)}`)
    : []

export async function deleteJobs(tx: Database, ids: string[], records: string[]): Promise<void> {
  if (await hasQueue(tx)) await tx.execute(sql`delete from pgboss.job where ${isOneOf(ids, records)}`)
}

const isOneOf = (ids: string[], records: string[]) => sql`(id = any (${sql.param(ids)}::uuid[])
  or data::text ~ any (${sql.param(records)}::text[]) or coalesce(singleton_key, '') = any (${sql.param(records)}::text[]))`

/** Leaves of an account that acts in jobs only its id. */
export async function emptyActor(tx: Database, accountId: string): Promise<void> {
  if (!(await hasQueue(tx))) return
  const actor = JSON.stringify({ id: accountId, email: '' })
  await tx.execute(
    sql`update pgboss.job set data = jsonb_set(data, '{by}', ${actor}::jsonb) where data #>> '{by,id}' = ${accountId}`,
  )
}
