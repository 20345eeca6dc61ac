import { sql } from 'drizzle-orm'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import { type Actor, beginAct } from '#server/audit-log/actor.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { kinds } from '#server/kinds.ts'
import type { Erase } from '#server/ledger/apply.ts'
import { recordData } from '#server/record-features.ts'
import { columnOf } from '#server/records/record-data.ts'
import { changePipelines, editRecord } from '#server/records/write/write.ts'
import { eraseListedFellow } from '../people/erase-fellow.ts'
import type { Chosen } from './chosen.ts'
import { emptyAuditEntries, emptyColumns, eraseRecords, eraseRows } from './erase.ts'
import { deleteJobs } from './jobs.ts'
import { parseRef } from './refs.ts'
import { isRow, tableName } from './tables.ts'

type Listed = Omit<Chosen, 'records'> & { erasureId: string }

/** Erases values of rows that stay, jobs, and records. What is gone already is skipped. No entry of it has values. */
export async function eraseChosen(tx: Database, actor: Actor | undefined, listed: Listed): Promise<void> {
  const { erasureId, trees, values, jobs } = listed
  await beginAct(tx, actor, { action: 'erase', detail: { erasureId } })
  for (const value of values) await eraseValue(tx, value)
  await deleteJobs(tx, jobs, [])
  await eraseRecords(tx, trees)
  await emptyAuditEntries(tx, sql`at >= now() - interval '1 hour' and detail ->> 'erasureId' = ${erasureId}`)
}

/** Erases what lines of the ledger list. */
export const eraseListed: Erase = {
  listed: (tx, { id, records, refs = [] }) => {
    const parsed = refs.map(parseRef)
    const values = parsed.filter((ref) => ref.kind === 'value')
    const jobs = parsed.flatMap((ref) => (ref.kind === 'job' ? ref.id : []))
    return eraseChosen(tx, undefined, { erasureId: id, trees: records, values, jobs })
  },
  fellow: eraseListedFellow,
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
    const logged = sql`action = any (${sql.param(entry.loggedAs ?? [])}::text[])`
    await emptyAuditEntries(tx, sql`(${of} or ${logged}) and (before ->> 'id' = ${id} or after ->> 'id' = ${id})`)
    await tx.execute(sql`delete from ${entry.table} where ${where}`)
    return
  }
  // What is found through this row, or through the same rows, contains its values too: the file of an imported row.
  for (const other of recordData) {
    const { through } = other
    if (through === undefined || other === entry) continue
    const isSame = through.to === entry.through?.to
    if (through.to.table !== entry.table && !isSame) continue
    const from = isSame ? columnOf(entry, entry.record?.[0] ?? '') : through.to
    const to = columnOf(other, other.record?.[0] ?? '')
    await eraseRows(tx, other, sql`${to} in (select ${from} from ${entry.table} where ${where})`)
  }
  if (tableName(entry) !== 'audit_log') await emptyColumns(tx, entry, [column], where)
  if (entry.erasure !== 'deleted') await eraseRows(tx, entry, where)
}

const isOfPipeline = (name: string) => pipelineFields.some(({ column }) => column === name)

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
  else if (isOfPipeline(column)) await changePipelines(tx, stored, [id], { [column]: null })
  else await editRecord(tx, stored, id, { fields: { [column]: column === 'notes' ? '' : null } })
}
