import { keyOf } from '#contract/fields.ts'
import type { Fault, ImportDuplicates } from '#contract/import.ts'
import type { Facts, StoredFault } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { PlanContext } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { infoOf, infoText } from '#server/records/fields.ts'
import type { Fields } from '#server/records/kind.ts'
import { changeableFields } from '#server/records/policy.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { type Compared, lacksOf } from './lacks.ts'
import { areNotes, notesAbove, notesWithLines } from './note-lines.ts'
import { dropUnreasonedPass, type PipelineChange, planPipeline } from './plan-pipeline.ts'
import type { ParsedRow } from './values.ts'

// What becomes of a row whose record is certain.

/**
 * The outcome of a row that is not refused, and sentences about it. `fields` and `facts` are what an update sets, and
 * `confirmed` names the values of the row that the record has. `hasMore`: the row has values that the record lacks.
 */
export type RecordPlan = { faults: StoredFault[]; hasMore?: boolean } & (
  | { outcome: 'created'; notes: string; pipeline: PipelineValues }
  | ({ outcome: 'updated'; record: RecordRow; fields: Fields; facts: Facts; confirmed: string[] } & PipelineChange)
  | { outcome: 'same' | 'duplicate' | 'maybe'; record?: RecordRow }
)

export type MatchContext = PlanContext & { kind: EnrichedKind; canAdvance: boolean }

/** The sentence about a row that repeats an earlier one of its file. */
export const repeatWords = (row: number): string => `This row repeats row ${row}`

/** Of a row that says nothing more than the one that it repeats. */
export const repeatPlan = (row: number, faults: Fault[]) => ({
  outcome: 'duplicate' as const,
  faults: [...faults, { sentence: repeatWords(row), ofMatch: true as const }],
})

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
      ...{ field, value, now, isFact: false },
      isEmpty: field === 'rating' ? !record.isRated : !now,
      isEqual: isEqual(field, value, now),
    }
  })
  const ofFacts = Object.entries(facts).map(([field, value]) => ({
    ...{ field, value, now: info[field], isFact: true },
    isEmpty: infoText(info[field]) === '',
    isEqual: isSameFact(info[field], value),
  }))
  return [...ofFields, ...ofFacts]
}

/** A place is the same by its city or by its address. */
const isSameFact = (now: unknown, value: unknown) =>
  infoText(now) === infoText(value) ||
  (typeof now === 'object' && now !== null && Object.values(now).includes(infoText(value)))

/** How a match is treated, and the sentence about it. `of`: who has other values. */
type Treatment = { duplicates: ImportDuplicates; sentence: string; of: string }

export function planMatch(
  { kind, importer, import: { columns, mapping }, canAdvance }: MatchContext,
  parsed: ParsedRow,
  record: RecordRow,
  { duplicates, sentence, of }: Treatment,
): RecordPlan {
  const row = dropUnreasonedPass(parsed, record)
  const pipeline = planPipeline({ duplicates, canAdvance, importerId: importer.id }, row, record)
  const compared = compare(kind, row, record, columns)
  const different = compared.filter(({ isEqual }) => !isEqual)
  // A record keeps its notes, so lines that it does not have are what the row has more.
  const { notes } = notesWithLines(row.fields.notes ?? '', row.lines)
  const lines = row.lines.filter(({ text }) => notes.includes(text) && !record.notes.includes(text))
  const isSame = different.length === 0 && pipeline.isSame
  if (isSame && lines.length === 0) return { outcome: 'same', record, faults: row.faults }
  const lacks = (set: Compared[] = [], change: PipelineChange = { tags: [] }) =>
    lacksOf({ kind, columns, mapping, of }, row, record, {
      different: different.filter((one) => !set.includes(one)),
      ...{ lines, change },
    })
  const duplicate = (about: string, faults: Fault[] = []): RecordPlan => {
    const more = lacks()
    return {
      ...{ outcome: 'duplicate', record, hasMore: more.length > 0 },
      faults: [...row.faults, ...faults, ...[{ sentence: about }, ...more].map(ofMatch)],
    }
  }
  if (duplicates === 'skip' || isSame) return duplicate(sentence)
  const wanted = different.filter(({ isEmpty }) => duplicates === 'update' || isEmpty)
  const { change, faults: pipelineFaults } = pipeline
  const hasChange = change.pipeline !== undefined || change.tags.length > 0
  if (wanted.length === 0 && !hasChange) return duplicate(sentence, pipelineFaults)
  const changeable = changeableFields(importer, kind, record).map(keyOf)
  const allowed = wanted.filter(({ field }) => changeable.includes(field))
  const isRefused = allowed.length === 0 && wanted.length > 0
  if (isRefused && !hasChange) return duplicate(`You may not change ${record.name}`, pipelineFaults)
  const { values, faults } = withNotes(allowed, record, columns)
  if (values.length === 0 && !hasChange) return duplicate(sentence, faults)
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
      ...lacks(allowed, change),
    ],
  }
}

const ofMatch = (fault: Fault): StoredFault => ({ ...fault, ofMatch: true })

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
