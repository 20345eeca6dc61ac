import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, auditLog } from '#server/db/schema.ts'
import type { RecordQuery } from '#server/lists/query.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { listRecords } from '#server/lists/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { PageRequest } from '#server/records/paging.ts'

/** Batch size. Between two batches it holds no transaction, no connection and no earlier row. */
const ROWS_AT_ONCE = 200

/** All records of a list, in its order, in batches. */
export async function* eachRecord(
  db: Database,
  kind: RecordKind,
  caller: Account,
  query: RecordQuery,
): AsyncGenerator<RecordRow[]> {
  let after: PageRequest['after']
  for (;;) {
    const { rows, next } = await listRecords(db, kind, caller, query, { limit: ROWS_AT_ONCE, after })
    if (rows.length > 0) yield rows
    if (next === undefined) return
    after = next
  }
}

/** The addresses of the fellows who are responsible for these records, by account. */
export async function listAddresses(
  db: Database,
  rows: Pick<RecordRow, 'responsibleId'>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ responsibleId }) => responsibleId ?? []))]
  if (ids.length === 0) return new Map()
  const known = await db
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(sql`${accounts.id} = any (${sql.param(ids)}::uuid[])`)
  return new Map(known.map(({ id, email }) => [id, email]))
}

/** The number of records beyond My Records that an account has exported in the last 24 hours. */
export async function countExported(db: Database, caller: Pick<Account, 'id'>): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`coalesce(sum(${auditLog.exportedCount}), 0)::int` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, caller.id),
        gt(auditLog.at, sql`now() - interval '24 hours'`),
        isNotNull(auditLog.exportedCount),
      ),
    )
  return row?.count ?? 0
}

/** Makes the exports of an account wait for each other until the transaction ends. */
export const lockExports = (tx: Database, { id }: Pick<Account, 'id'>) =>
  tx.execute(sql`select from ${accounts} where ${accounts.id} = ${id} for no key update`)
