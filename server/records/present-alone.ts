import { sql } from 'drizzle-orm'
import type { Account } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { opinions } from '#server/db/schema.ts'
import type { RecordKind } from './kind.ts'
import type { RecordRow } from './row.ts'

/** The answer of one record. It has the number of opinions given, if there are any, which no list has. */
export async function presentAlone(db: Database, kind: RecordKind, caller: Account, row: RecordRow): Promise<object> {
  const presented = kind.present(caller, row)
  if (!row.hasOpinions) return presented
  const [counted] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from ${opinions} where ${opinions.recordId} = ${row.id}`,
  )
  return { ...presented, opinionCount: counted?.count ?? 0 }
}
