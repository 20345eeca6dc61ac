import { and, eq, inArray } from 'drizzle-orm'
import { keyOf } from '#contract/fields.ts'
import { fold } from '#contract/fold.ts'
import type { Fault } from '#contract/import.ts'
import type { Database } from '#server/db/database.ts'
import { type Facts, importRows } from '#server/db/schema.ts'
import { findSimilar } from '#server/duplicates/similar.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { infoOf, infoText } from '#server/records/fields.ts'
import type { Fields } from '#server/records/kind.ts'
import { changeableFields } from '#server/records/policy.ts'
import type { RecordRow } from '#server/records/row.ts'
import { getRecords } from '#server/records/store.ts'
import { areNotes, notesAbove, notesWithLines } from './note-lines.ts'
import { type PipelineChange, planPipeline, settled } from './plan-pipeline.ts'
import type { PlanContext } from './target.ts'
import type { ParsedRow } from './values.ts'

/** The number of matches of a row to check. The best one that may be the same person or company counts. */
const MATCHES_MAX = 5

/**
 * The outcome of a row that is not refused, and sentences about it. `fields` and `facts` are what an update sets, and
 * `confirmed` names the values of the row that the record has.
 */
export type RowPlan = { faults: Fault[] } & (
  | { outcome: 'created'; notes: string }
  | ({ outcome: 'updated'; record: RecordRow; fields: Fields; facts: Facts; confirmed: string[] } & PipelineChange)
  | { outcome: 'same' | 'duplicate' | 'maybe'; record: RecordRow }
)

type MatchContext = PlanContext & { kind: EnrichedKind }

/** A row, and whether it is added although a record may be the same. */
type RowToPlan = { parsed: ParsedRow; isAdded: boolean }

/** Compares each row with the existing records, and not with other rows. */
export async function planRows(db: Database, context: MatchContext, rows: RowToPlan[]): Promise<RowPlan[]> {
  const { kind, importer } = context
  const wanted = rows.map(({ parsed }) => kind.matching.wanted({ ...parsed.info, ...parsed.facts, ...parsed.fields }))
  // Two people may share a name. With two different addresses they are two people.
  const finding = { max: MATCHES_MAX, withOtherAddress: false }
  const similar = rows.length === 0 ? [] : await findSimilar(db, kind, wanted, finding)
  const ids = [...new Set(similar.flat().map(({ id }) => id))]
  const own = await listOwn(db, context.import.id, ids)
  const records = new Map((await getRecords(db, kind, importer, ids)).map((record) => [record.id, record]))
  const canAdvance = await mayAdvance(db, importer)
  return rows.map(({ parsed, isAdded }, index) => {
    for (const match of similar[index] ?? []) {
      const record = own.has(match.id) ? undefined : records.get(match.id)
      if (record === undefined) continue
      if (isCertain(parsed, record, match.reasons)) {
        return planMatch({ ...context, canAdvance }, settled(parsed, record), record)
      }
      if (!isAdded) return planOf(settled(parsed), { outcome: 'maybe', record }, `${record.name} may be the same`)
    }
    const { notes, faults } = notesWithLines(parsed.fields.notes ?? '', settled(parsed).lines)
    return { outcome: 'created', notes, faults: [...parsed.faults, ...faults] }
  })
}

/** Excludes records that this import has created. Repeated rows are known from the file. */
async function listOwn(db: Database, importId: string, ids: string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ recordId: importRows.recordId })
    .from(importRows)
    .where(and(inArray(importRows.recordId, ids), eq(importRows.importId, importId), eq(importRows.outcome, 'created')))
  return new Set(rows.map(({ recordId }) => recordId))
}

const isByName = (reasons: string[]) => reasons.every((reason) => reason === 'name' || reason === 'same_name')

/** Another spelling of a name alone does not change a record. */
const isCertain = ({ fields }: ParsedRow, record: RecordRow, reasons: string[]) =>
  !isByName(reasons) || fold(fields.name) === fold(record.name)

const planOf = (
  { faults }: ParsedRow,
  result: { outcome: 'same' | 'duplicate' | 'maybe'; record: RecordRow },
  sentence?: string,
): RowPlan => ({ ...result, faults: [...faults, ...(sentence === undefined ? [] : [{ sentence }])] })

/** A value of the row, that of the record, and whether they are equal. */
type Compared = { field: string; isFact: boolean; value: unknown; isEmpty: boolean; isEqual: boolean }

function compare(
  { addresses }: EnrichedKind,
  { fields, facts }: ParsedRow,
  record: RecordRow,
  columns: string[],
): Compared[] {
  const info = infoOf(record.additionalInfo)
  const isEqual = (field: string, value: unknown, now: unknown) => {
    if (field === 'notes') return areNotes(String(now), String(value), columns)
    if (field === 'rating') return record.isRated && now === value
    const addressOf = addresses[field as keyof typeof addresses]
    if (addressOf === undefined || typeof value !== 'string' || typeof now !== 'string') return now === value
    // Another spelling of an address is the same address.
    const address = addressOf(value)
    return now === value || (address !== null && address === addressOf(now))
  }
  const ofFields = Object.entries(fields).map(([field, value]) => {
    const now = record[field as keyof RecordRow]
    return {
      ...{ field, value, isFact: false },
      isEmpty: field === 'rating' ? !record.isRated : !now,
      isEqual: isEqual(field, value, now),
    }
  })
  const ofFacts = Object.entries(facts).map(([field, value]) => ({
    ...{ field, value, isFact: true },
    isEmpty: infoText(info[field]) === '',
    isEqual: isSameFact(info[field], value),
  }))
  return [...ofFields, ...ofFacts]
}

/** A place is the same by its city or by its address. */
const isSameFact = (now: unknown, value: unknown) =>
  infoText(now) === infoText(value) ||
  (typeof now === 'object' && now !== null && Object.values(now).includes(infoText(value)))

function planMatch(
  { kind, importer, import: of, canAdvance }: MatchContext & { canAdvance: boolean },
  row: ParsedRow,
  record: RecordRow,
): RowPlan {
  const { duplicates, columns } = of
  const pipeline = planPipeline({ duplicates, canAdvance }, row, record)
  const compared = compare(kind, row, record, columns)
  const different = compared.filter(({ isEqual }) => !isEqual)
  // A record keeps its notes, so lines that it does not have are what the row has more.
  const { notes } = notesWithLines(row.fields.notes ?? '', row.lines)
  const hasLines = row.lines.every(({ text }) => !notes.includes(text) || record.notes.includes(text))
  const isSame = different.length === 0 && pipeline.isSame
  if (isSame && hasLines) return planOf(row, { outcome: 'same', record })
  const duplicate = (sentence: string) => planOf(row, { outcome: 'duplicate', record }, sentence)
  if (duplicates === 'skip') return duplicate(`${record.name} already exists`)
  if (isSame) return duplicate(`${record.name} already exists. Only columns kept in notes differ.`)
  const wanted = different.filter(({ isEmpty }) => duplicates === 'update' || isEmpty)
  const { change, faults: pipelineFaults } = pipeline
  const hasChange = change.pipeline !== undefined || change.tags.length > 0
  const nothing = (sentence: string): RowPlan => {
    const plan = duplicate(sentence)
    return { ...plan, faults: [...pipelineFaults, ...plan.faults] }
  }
  if (wanted.length === 0 && !hasChange) return nothing(`${record.name} has no empty field to fill`)
  const changeable = changeableFields(importer, kind, record).map(keyOf)
  const allowed = wanted.filter(({ field }) => changeable.includes(field))
  const isRefused = allowed.length === 0 && wanted.length > 0
  if (isRefused && !hasChange) return nothing(`You may not change ${record.name}`)
  const { values, faults } = withNotes(allowed, record, columns)
  if (values.length === 0 && !hasChange)
    return { ...duplicate(`${record.name} already exists`), faults: [...row.faults, ...faults] }
  const setBy = (isFact: boolean) =>
    Object.fromEntries(values.flatMap((one) => (one.isFact === isFact ? [[one.field, one.value]] : [])))
  return {
    outcome: 'updated',
    record,
    fields: setBy(false),
    facts: setBy(true),
    confirmed: compared.flatMap(({ field, isEqual }) => (isEqual ? [field] : [])),
    ...change,
    faults: [
      ...row.faults,
      ...faults,
      ...pipelineFaults,
      ...(isRefused
        ? [{ sentence: `You may change the pipeline and the tags of ${record.name}, and nothing else` }]
        : []),
    ],
  }
}

/** New notes keep the lines of an earlier import below them. Where they do not fit, the notes stay as they are. */
function withNotes(values: Compared[], record: RecordRow, columns: string[]): { values: Compared[]; faults: Fault[] } {
  const given = values.find(({ field }) => field === 'notes')
  if (given === undefined) return { values, faults: [] }
  const notes = notesAbove(String(given.value), record.notes, columns)
  const others = values.filter((one) => one !== given)
  if (notes !== undefined) return { values: [...others, { ...given, value: notes }], faults: [] }
  return {
    values: others,
    faults: [{ sentence: `The notes of ${record.name} would be too long, and stay as they are` }],
  }
}
