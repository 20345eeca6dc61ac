import { inArray, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type Database, rowsOf } from '#server/db/database.ts'
import { importRows, imports, notes, records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { ImportRowRecord, RowResult } from '#server/import/store/store.ts'
import { ChangedMeanwhile, type PlannedRow, type WriteContext } from '#server/import/target.ts'
import { isOfKind } from '#server/records/kind.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { searchable } from '#server/records/write/search-text.ts'
import type { ParsedNote } from './parse-note.ts'
import { type NotePlan, storedNotes } from './plan-notes.ts'

type Planned = PlannedRow<ParsedNote, NotePlan>

/** Adds the notes, and returns the outcome of each row, with the sentences of its reading. */
export async function writeNotes(
  tx: Database,
  kinds: EnrichedKind[],
  step: WriteContext,
  planned: Planned[],
): Promise<RowResult[]> {
  await lockPlanned(tx, kinds, planned)
  // Another import may have added them since they were planned.
  const stored = await storedNotes(tx, planned)
  const created = planned.filter(({ plan }, at) => plan.outcome === 'created' && !stored.has(at))
  const first = await firstNotes(tx, step, created)
  await insertNotes(tx, step, created)
  return planned.map((one): RowResult => {
    const { row, plan, parsed } = one
    const result = {
      row: row.row,
      recordId: plan.record?.id ?? null,
      faults: [...row.marks.map((sentence) => ({ sentence })), ...plan.faults],
    }
    if (plan.outcome === 'refused') return { ...result, outcome: 'refused' }
    if (!created.includes(one)) return { ...result, outcome: 'same' }
    const added = { notes: parsed.parts.length, records: first.has(row.row) ? 1 : 0 }
    return { ...result, outcome: 'created', added }
  })
}

/** Locks the records. Throws if one was merged or deleted since it was found. */
async function lockPlanned(tx: Database, kinds: EnrichedKind[], planned: Planned[]): Promise<void> {
  const ids = [...new Set(planned.flatMap(({ plan }) => plan.record?.id ?? []))]
  if (ids.length === 0) return
  const isLive = or(...kinds.map((kind) => isOfKind(sql`(${records.kind} || '')`, kind)))
  const locked = await lockRecords(tx, ids, { id: records.id }, 'no key update', isLive)
  if (locked.length < ids.length) throw new ChangedMeanwhile('A record has changed')
}

/** The rows that add the first note of this import to their record. */
async function firstNotes(tx: Database, { import: { id } }: WriteContext, created: Planned[]): Promise<Set<number>> {
  const rows = new Map<string, number>()
  for (const { row, plan } of created.toReversed()) if (plan.record) rows.set(plan.record.id, row.row)
  if (rows.size === 0) return new Set()
  const earlier = await rowsOf<{ id: string }>(
    tx,
    sql`select distinct record_id as id from ${importRows}
      where ${inArray(importRows.recordId, [...rows.keys()])} and import_id = ${id} and outcome = 'created'
        and row <= (select last_row from ${imports} where ${imports.id} = ${id})`,
  )
  for (const { id } of earlier) rows.delete(id)
  return new Set(rows.values())
}

/**
 * Inserts all notes in one statement, so that the counters of their authors are locked in one order. The list of a record
 * is newest first, and for one time by descending ids: so that the parts of a text read in order, the first has the
 * highest id.
 */
async function insertNotes(
  tx: Database,
  { import: { id, startedAt } }: WriteContext,
  created: Planned[],
): Promise<void> {
  const added = created.flatMap(({ row, parsed, plan }) => {
    if (plan.outcome === 'refused') return []
    const ids = parsed.parts
      .map(() => uuidv7())
      .toSorted()
      .toReversed()
    return parsed.parts.map((content, at) => ({
      ...{ id: ids[at], record_id: plan.record.id, kind: plan.record.kind, content, search_text: searchable(content) },
      author_id: 'id' in plan.author ? plan.author.id : null,
      author_text: 'text' in plan.author ? plan.author.text : null,
      created_at: (parsed.date ?? startedAt ?? new Date()).toISOString(),
      ...{ import_id: id, import_row: row.row },
    }))
  })
  if (added.length === 0) return
  const columns = sql.raw(
    'id, record_id, kind, author_id, author_text, content, search_text, created_at, import_id, import_row',
  )
  await tx.execute(sql`
    insert into ${notes} (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as added (
      id uuid, record_id uuid, kind text, author_id uuid, author_text text, content text, search_text text,
      created_at timestamptz, import_id uuid, import_row int
    )`)
}

/** Deletes the notes of these rows, wherever merges have moved them. */
export async function revertNotes(
  tx: Database,
  { import: { id } }: WriteContext,
  rows: ImportRowRecord[],
): Promise<RowResult[]> {
  if (rows.length === 0) return []
  const ofRows = sql`import_id = ${id} and import_row in (${sql.join(
    rows.map(({ row }) => sql`${row}`),
    sql`, `,
  )})`
  // In the order of ids, like all code that locks more than one record.
  await tx.execute(sql`
    select from ${records} where id in (select record_id from ${notes} where ${ofRows}) order by id for no key update`)
  await tx.execute(sql`delete from ${notes} where ${ofRows}`)
  return rows.map(({ row, recordId }) => ({ row, recordId, outcome: 'reverted' }))
}
