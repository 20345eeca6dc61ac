import { sql } from 'drizzle-orm'
import type { EraseInput, PastExport } from '#contract/privacy.ts'
import { beginAct, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'
import { notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { kinds } from '#server/kinds.ts'
import { type Ledger, recordErasure } from '#server/ledger/ledger.ts'
import { columnOf, recordData } from '#server/records/record-data.ts'
import { editRecord } from '#server/records/write.ts'
import { type Chosen, readChosen } from './chosen.ts'
import { emptyAuditEntries, emptyColumns, eraseRecords, eraseRows } from './erase.ts'
import { deleteJobs } from './jobs.ts'
import { isRow, tableName } from './tables.ts'

type Outcome = { erasureId: string; since: string | null }

/** Erases what was chosen, in one transaction. Its entry in the audit log has no values. */
export const erasePerson = (
  { db, ledger }: { db: Database; ledger: Ledger },
  caller: Caller,
  key: IdempotencyKey,
  { refs, reason }: EraseInput,
): Promise<Outcome> =>
  withActor(db, caller, async (tx) => {
    const erasureId = await claimId(tx, key)
    const chosen = await readChosen(tx, refs)
    const since = await firstTime(tx, chosen.trees)
    await beginAct(tx, caller, { action: 'erase', detail: { erasureId } })
    for (const value of chosen.values) await eraseValue(tx, value)
    await deleteJobs(tx, chosen.jobs, [])
    await eraseRecords(tx, chosen.trees)
    await emptyAuditEntries(
      tx,
      sql`action = 'erase' and at >= now() - interval '1 hour' and detail ->> 'erasureId' = ${erasureId}`,
    )
    const counts = { records: chosen.trees.length, values: chosen.values.length + chosen.jobs.length }
    await recordAuditEntry(tx, {
      ...{ action: 'erase', by: caller, kind: 'erasure', objectId: erasureId },
      detail: { reason, ...counts, since },
    })
    await recordErasure(tx, ledger, { erasureId, ids: chosen.trees })
    return { erasureId, since }
  })

/** The outcome of an earlier erasure. */
export async function getErasure(db: Database, erasureId: string): Promise<Outcome> {
  const [row] = await rowsOf<{ since: string | null }>(
    db,
    sql`select detail ->> 'since' as since from audit_log where object_id = ${erasureId} and kind = 'erasure'`,
  )
  if (row === undefined) throw notFound('There is no erasure with this id')
  return { erasureId, since: row.since }
}

async function firstTime(db: Database, ids: string[]): Promise<string | null> {
  const [row] = await rowsOf<{ at: string | null }>(
    db,
    sql`select to_json(min(created_at)) #>> '{}' as at from records where id = any (${sql.param(ids)}::uuid[])`,
  )
  return row?.at ?? null
}

/**
 * A value in a row that stays. A record keeps its name; a note goes as a whole; of a row of an imported file all values
 * go, and the file.
 */
async function eraseValue(tx: Database, { entry, key, column }: Chosen['values'][number]): Promise<void> {
  const where = isRow(entry, key)
  if (tableName(entry) === 'records') return emptyRecord(tx, key[0] ?? '', column)
  if (entry.isErasedWhole) {
    const [id = ''] = key
    const [record = ''] = entry.record ?? []
    const of = sql`object_id in (select ${columnOf(entry, record)} from ${entry.table} where ${where})`
    await emptyAuditEntries(tx, sql`${of} and (before ->> 'id' = ${id} or after ->> 'id' = ${id})`)
    await tx.execute(sql`delete from ${entry.table} where ${where}`)
    return
  }
  // What is found through this row contains its values too: the file of an imported row.
  for (const other of recordData) {
    const { through } = other
    if (through?.to.table !== entry.table) continue
    const [name = ''] = other.record ?? []
    await eraseRows(
      tx,
      other,
      sql`${columnOf(other, name)} in (select ${through.to} from ${entry.table} where ${where})`,
    )
  }
  if (entry.erasure === 'deleted') return emptyColumns(tx, entry, [column], where)
  await eraseRows(tx, entry, where)
}

async function emptyRecord(tx: Database, id: string, column: string): Promise<void> {
  const [row] = await rowsOf<{ kind: string; names: string[] | null }>(
    tx,
    sql`select kind, array(select jsonb_object_keys(case jsonb_typeof(additional_info) when 'object' then additional_info else '{}' end)) as names
      from records where id = ${id} for update`,
  )
  const kind = kinds.find(({ name }) => row?.kind.split('-').at(-1) === name)
  if (row === undefined || kind === undefined) return
  const stored = { ...kind, name: row.kind as typeof kind.name }
  if (column === 'additionalInfo') await editRecord(tx, stored, id, { facts: { set: {}, removed: row.names ?? [] } })
  else if (column === 'enrichment') await editRecord(tx, stored, id, { enrichment: sql`enrichment - 'last'` })
  else await editRecord(tx, stored, id, { fields: { [column]: column === 'notes' ? '' : null } })
}

const EXPORTS_MAX = 500

/** The exports and calendar files since then, newest first: by the names of their actions in the audit log. */
export async function listExports(db: Database, since: string | null): Promise<PastExport[]> {
  if (since === null) return []
  const rows = await rowsOf<{ at: string; by: string | null; what: string; filter: Facts | null }>(
    db,
    sql`select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, account_email as by,
        concat_ws(' ', action, kind) as what, detail as filter
      from audit_log where action in ('export', 'export-calendar') and result = 'done' and at >= ${since}::timestamptz
      order by at desc, id desc limit ${EXPORTS_MAX}`,
  )
  return rows.map(({ by, filter, ...row }) => ({ ...row, by: by ?? '', filter: filter ?? {} }))
}
