import { and, eq, inArray } from 'drizzle-orm'
import type { DuplicateReason } from '#contract/duplicates.ts'
import type { Database } from '#server/db/database.ts'
import { importRows } from '#server/db/schema.ts'
import { wantedOf } from '#server/duplicates/identity.ts'
import { findSimilar } from '#server/duplicates/similar.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { OpenRow, PlanContext } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { getRecords } from '#server/lists/store.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { notesWithLines } from './note-lines.ts'
import { type MatchContext, planMatch, type RecordPlan, repeatPlan, repeatWords } from './plan-match.ts'
import { planNewPipeline } from './plan-pipeline.ts'
import type { ParsedRow } from './values.ts'

/** The number of matches of a row to check. Certain ones come first. */
const MATCHES_MAX = 5

/** A row, and whether it is added although a record is or may be the same. `row` is absent while the file is read. */
export type RowToPlan = Pick<OpenRow<ParsedRow>, 'parsed' | 'isAdded'> & Partial<Pick<OpenRow<ParsedRow>, 'row'>>

/** Compares each row with the existing records, or with the record of the earlier row of its file that it repeats. */
export async function planRows(
  db: Database,
  context: PlanContext & { kind: EnrichedKind },
  rows: RowToPlan[],
): Promise<RecordPlan[]> {
  if (rows.length === 0) return []
  const { kind, importer } = context
  // Two people may share a name. With two different addresses they are two people.
  const finding = { max: MATCHES_MAX, withOtherAddress: false }
  const wanted = rows.map(({ parsed }) => wantedOf({ ...parsed.info, ...parsed.facts, ...parsed.fields }))
  const similar = await findSimilar(db, kind, wanted, finding)
  const repeated = await recordsOfRows(
    db,
    context,
    rows.flatMap((one) => (isRepeat(one) ? one.row.repeats : [])),
  )
  const ids = [...new Set([...similar.flat().map(({ id }) => id), ...repeated.values()])]
  const own = await listOwn(db, context.import.id, ids)
  const records = new Map((await getRecords(db, kind, importer, ids)).map((record) => [record.id, record]))
  const matching = { ...context, canAdvance: await mayAdvance(db, importer) }
  return rows.map((one, index) => {
    const { parsed, isAdded } = one
    if (isRepeat(one))
      return planRepeat(matching, parsed, one.row.repeats, records.get(repeated.get(one.row.repeats) ?? ''))
    // A person adds it although its record is certain.
    if (isAdded && one.row?.hasMore) return planNew(context, parsed)
    const matches = (similar[index] ?? []).flatMap((match) => {
      const record = own.has(match.id) ? undefined : records.get(match.id)
      return record === undefined ? [] : [{ ...match, record }]
    })
    const certain = matches
      .filter(({ isCertain }) => isCertain)
      .map(({ record }) => planCertain(matching, parsed, record))
    const [unsure] = matches
    if (certain.length > 0) return certain.find(({ outcome }) => outcome === 'same') ?? (certain[0] as RecordPlan)
    if (unsure === undefined || isAdded) return planNew(context, parsed)
    const sentence = `${unsure.record.name} ${maybeWords(unsure.reasons)}`
    const faults = [...parsed.faults, { sentence, ofMatch: true as const }]
    return { outcome: 'maybe', record: unsure.record, faults }
  })
}

type Repeat = RowToPlan & { row: { repeats: number } }

const isRepeat = (one: RowToPlan): one is Repeat => !one.isAdded && typeof one.row?.repeats === 'number'

const planCertain = (context: MatchContext, parsed: ParsedRow, record: RecordRow): RecordPlan =>
  planMatch(context, parsed, record, {
    duplicates: context.import.duplicates,
    ...{ sentence: `${record.name} already exists`, of: 'the record' },
  })

/** Without a record, the earlier row has none yet: it waits, or was refused. */
export function planRepeat(context: MatchContext, parsed: ParsedRow, row: number, record?: RecordRow): RecordPlan {
  if (record === undefined) return repeatPlan(row, parsed.faults)
  const sentence = repeatWords(row)
  // The first row of a person counts. Later ones fill what it lacks.
  const duplicates = context.import.duplicates === 'skip' ? 'skip' : 'fill'
  const plan = planMatch(context, parsed, record, { duplicates, sentence, of: `row ${row}` })
  if (plan.outcome === 'duplicate') return plan
  if (plan.outcome === 'same') return { ...repeatPlan(row, plan.faults), record }
  return { ...plan, faults: [...plan.faults, { sentence }] }
}

function planNew({ importer }: PlanContext, parsed: ParsedRow): RecordPlan {
  const { pipeline, faults: pipelineFaults } = planNewPipeline(parsed.pipeline, importer.id)
  const { notes, faults } = notesWithLines(parsed.fields.notes ?? '', parsed.lines)
  return { outcome: 'created', notes, pipeline, faults: [...parsed.faults, ...faults, ...pipelineFaults] }
}

const SHARED: Partial<Record<DuplicateReason, string>> = {
  linkedin: 'has the same LinkedIn profile, and may be the same',
  email: 'has the same email, and may be the same',
  domain: 'has the same website, and may be the same',
}

const maybeWords = (reasons: DuplicateReason[]): string =>
  reasons.map((reason) => SHARED[reason]).find((words) => words !== undefined) ?? 'may be the same'

/** Excludes records that this import has created. Repeated rows are known from the file. */
async function listOwn(db: Database, importId: string, ids: string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ recordId: importRows.recordId })
    .from(importRows)
    .where(and(inArray(importRows.recordId, ids), eq(importRows.importId, importId), eq(importRows.outcome, 'created')))
  return new Set(rows.map(({ recordId }) => recordId))
}

/** The records of rows that are created, updated or met, by their numbers. A row that waits has none of its own. */
async function recordsOfRows(
  db: Database,
  { import: { id } }: PlanContext,
  rows: number[],
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const found = await db
    .select({ row: importRows.row, recordId: importRows.recordId, outcome: importRows.outcome })
    .from(importRows)
    .where(and(eq(importRows.importId, id), inArray(importRows.row, [...new Set(rows)])))
  return new Map(
    found.flatMap(({ row, recordId, outcome }) => (recordId === null || outcome === 'maybe' ? [] : [[row, recordId]])),
  )
}
