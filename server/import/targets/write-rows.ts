import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Fault } from '#contract/import.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, type EnrichmentState, finders, notes, records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { RecordPlan } from '#server/import/rows/plan-match.ts'
import { planRows } from '#server/import/rows/plan-rows.ts'
import type { ParsedRow } from '#server/import/rows/values.ts'
import { type RowResult, saveResults } from '#server/import/store/store.ts'
import { ChangedMeanwhile, type PlannedRow, type WriteContext } from '#server/import/target.ts'
import { emptyPipeline, pipelineOf } from '#server/pipeline/values.ts'
import { isOfKind } from '#server/records/kind.ts'
import { changeOf, type Stored, saveChange } from '#server/records/write/corrections.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { ownColumns } from '#server/records/write/own-columns.ts'
import { searchable } from '#server/records/write/search-text.ts'
import { IMPORT } from '#server/records/write/sources.ts'
import { insertRecords } from '#server/records/write/write.ts'
import type { NewRecord, PipelineValues } from '#server/records/write/written-columns.ts'
import { notesEditOf } from '#server/records/write/written-columns.ts'
import { rights } from '#server/rights.ts'
import { undoOf } from './undo-row.ts'
import { type PipelineWrite, writePipelines } from './write-pipeline.ts'

type Planned = PlannedRow<ParsedRow, RecordPlan>

/**
 * Creates and updates records. Returns the outcome of each row, with the sentences of its reading. Of rows that meet one
 * record, a later one is planned again once an earlier one has updated it.
 */
export async function writeRows(
  tx: Database,
  kind: EnrichedKind,
  step: WriteContext,
  planned: Planned[],
): Promise<RowResult[]> {
  const created = planned.flatMap(({ row, parsed, plan }): Creation[] =>
    plan.outcome === 'created'
      ? [{ row: row.row, id: uuidv7(), parsed, notes: plan.notes, pipeline: plan.pipeline }]
      : [],
  )
  const ids = new Map(created.map(({ row, id }) => [row, id]))
  await create(tx, kind, step, created)
  const stored = await lockPlanned(tx, kind, planned)
  const results: RowResult[] = []
  const writes = created.flatMap(({ row, id: recordId, parsed, pipeline }): PipelineWrite[] => {
    const { tags } = parsed.pipeline
    const hasValues = Object.keys(pipeline).length > 0
    const to = hasValues ? { ...emptyPipeline, ...pipeline } : undefined
    return hasValues || tags.length > 0 ? [{ row, recordId, to, tags }] : []
  })
  const later: Omit<Planned, 'plan'>[] = []
  for (const { plan, ...one } of planned) {
    const { row } = one
    const marked: Fault[] = row.marks.map((sentence) => ({ sentence }))
    const result = { row: row.row, hasMore: plan.hasMore ?? false, faults: [...marked, ...plan.faults] }
    if (plan.outcome === 'created') results.push({ ...result, outcome: 'created', recordId: ids.get(row.row) ?? null })
    else if (plan.outcome !== 'updated')
      results.push({ ...result, outcome: plan.outcome, recordId: plan.record?.id ?? null })
    else {
      const record = stored.get(plan.record.id)
      if (stored.delete(plan.record.id) && record) {
        results.push({ ...result, ...(await update(tx, kind, step, record, plan)) })
        const { pipeline: to, tags } = plan
        writes.push({ row: row.row, recordId: record.id, before: pipelineOf(record), to, tags })
      } else later.push(one)
    }
  }
  const undos = await writePipelines(tx, kind, step, writes)
  for (const result of results) {
    const { before = {}, after = {} } = undos.get(result.row) ?? {}
    if (Object.keys(before).length > 0) result.before = { ...result.before, ...before }
    if (Object.keys(after).length > 0) result.after = { ...result.after, ...after }
  }
  if (later.length === 0) return results
  await saveResults(tx, step.import.id, results)
  const plans = await planRows(tx, { import: step.import, importer: step.uploader, kind }, later)
  const again = later.map((one, index): Planned => ({ ...one, plan: plans[index] as RecordPlan }))
  return [...results, ...(await writeRows(tx, kind, step, again))]
}

/**
 * The records to update, by id. Locks them, so that a run of enrichment is either seen here, or sees the update. Throws if
 * one is not as it was planned.
 */
async function lockPlanned(tx: Database, kind: EnrichedKind, planned: Planned[]): Promise<Map<string, Stored>> {
  const updated = planned.flatMap(({ plan }) => (plan.outcome === 'updated' ? [plan.record] : []))
  if (updated.length === 0) return new Map()
  const ids = updated.map(({ id }) => id)
  const rows = await lockRecords(tx, ids, ownColumns, 'update', isOfKind(records.kind, kind))
  const stored = new Map(rows.map((row) => [row.id, row]))
  // Enrichment changes values without a new version.
  const values = ['version', 'pipelineVersion', 'additionalInfo', ...kind.columns] as const
  const isAsPlanned = (record: Stored) => {
    const now = stored.get(record.id)
    return now !== undefined && values.every((value) => isDeepStrictEqual(now[value], record[value]))
  }
  if (!updated.every(isAsPlanned)) throw new ChangedMeanwhile('A record has changed')
  return stored
}

type Creation = { row: number; id: string; parsed: ParsedRow; notes: string; pipeline: PipelineValues }

/** The uploader is the creator, unless their rights or our own export say otherwise. */
async function create(
  tx: Database,
  kind: EnrichedKind,
  { uploader, import: { id: importId, dialect } }: WriteContext,
  created: Creation[],
): Promise<void> {
  if (created.length === 0) return
  // Our own export leaves out an unknown creator.
  const isExport = dialect.format === 'jsonl' && rights.importCreation.allows(uploader)
  const defaultCreator = isExport ? undefined : uploader.id
  const creators = await accountsOf(
    tx,
    created.flatMap(({ parsed }) => parsed.createdBy ?? []),
  )
  await insertRecords(
    tx,
    kind,
    created.map(({ id, parsed, notes, pipeline }): NewRecord => {
      const info = { ...parsed.info, ...parsed.facts }
      const creatorId = parsed.createdBy === undefined ? defaultCreator : creators.get(parsed.createdBy.toLowerCase())
      return {
        id,
        fields: { ...parsed.fields, notes },
        info: Object.keys(info).length > 0 ? info : null,
        enrichment: { sources: sourcesOf(parsed) },
        creatorId: creatorId ?? null,
        creatorText: creatorId === undefined ? (parsed.createdBy ?? null) : null,
        // The first finder of a record from another Sourcebook shows whether it was imported there.
        isImported: (parsed.finders[0]?.via ?? 'import') === 'import',
        ...(parsed.createdAt && { createdAt: parsed.createdAt }),
        ...(Object.keys(pipeline).length > 0 && { pipeline }),
      }
    }),
  )
  const thread = created.flatMap(({ id: recordId, row: importRow, parsed }) =>
    parsed.thread.map(({ author, content, createdAt }) => ({
      ...{ recordId, authorText: author, content, createdAt, importId, importRow },
    })),
  )
  // The export starts with the newest note. Reversed, so that notes with the same time keep their order.
  for (const batch of inParts(thread.reverse())) {
    await tx
      .insert(notes)
      .values(batch.map((note) => ({ ...note, id: uuidv7(), kind: kind.name, searchText: searchable(note.content) })))
  }
  // The first finder is the creator, if known.
  const found = created.flatMap(({ id: recordId, parsed: { createdBy, finders } }) =>
    finders
      .filter(({ name }, index) => index > 0 || name !== createdBy)
      .map(({ name, foundAt, via }) => ({ recordId, fellowText: name, foundAt, via })),
  )
  for (const batch of inParts(found)) await tx.insert(finders).values(batch).onConflictDoNothing()
}

/** The values that columns have given. Public data of our own export has no source, so that it can be refreshed. */
function sourcesOf({ facts, info }: ParsedRow): NonNullable<EnrichmentState['sources']> {
  const at = new Date().toISOString()
  const given = Object.keys(facts).filter((field) => facts[field] !== info?.[field])
  return Object.fromEntries(given.map((field) => [field, { provider: IMPORT, at }]))
}

const PART = 500

const inParts = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, part) => items.slice(part * PART, (part + 1) * PART))

/** The accounts that have verified these addresses, by address. */
export async function accountsOf(tx: Database, texts: string[]): Promise<Map<string, string>> {
  const emails = [...new Set(texts.map((text) => text.toLowerCase()).filter((text) => text.includes('@')))]
  if (emails.length === 0) return new Map()
  const found = await tx
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(and(inArray(accounts.email, emails), eq(accounts.emailVerified, true)))
  return new Map(found.map(({ id, email }) => [email, id]))
}

/**
 * Updates a locked record, as a correction and an edit by the uploader would. The result holds what a revert needs, except
 * for the picture: it stays stored until another one is found.
 */
async function update(
  tx: Database,
  kind: EnrichedKind,
  { uploader }: WriteContext,
  record: Stored,
  { fields, facts, confirmed }: Extract<RecordPlan, { outcome: 'updated' }>,
): Promise<Omit<RowResult, 'row' | 'faults'>> {
  // The pipeline and the tags alone are no edit of the record.
  if (Object.keys(fields).length + Object.keys(facts).length === 0) {
    return { outcome: 'updated', recordId: record.id, before: {}, after: {} }
  }
  const change = changeOf(kind, record, { fields, set: facts, confirmed }, IMPORT)
  const edit = fields.notes === undefined ? {} : notesEditOf(uploader, fields.notes)
  await saveChange(tx, kind, record, change, edit)
  return { outcome: 'updated', recordId: record.id, ...undoOf(record, change) }
}
