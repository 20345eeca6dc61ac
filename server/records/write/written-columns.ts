import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { RATING_DEFAULT } from '#contract/limits.ts'
import type { PipelineColumn } from '#contract/pipeline-fields.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { type Facts, records } from '#server/db/schema.ts'
import { withKey } from '#server/records/fields.ts'
import type { Fields, isOfKind, RecordKind } from '#server/records/kind.ts'
import { changedSearchText, searchText } from './search-text.ts'
import { changedSecondaryText, secondaryText } from './secondary-text.ts'

// The columns of a record from the values of its fields, the derived ones included. `write.ts` writes them.

/** The values of fields by name. A rating of null means that the record is not rated. */
export type FieldValues = Omit<Fields, 'rating'> & { rating?: number | null | undefined }

/** All values of a record: its fields, and its enriched values. A field that is left out is empty. */
export type AllValues = { fields: FieldValues; info: Facts | null }

/** Some values of a record. The others stay. */
export type SomeValues = { fields?: FieldValues; facts?: FactsChange | undefined }

/** Enriched values to set and to remove. */
type FactsChange = { set: Facts; removed?: string[] }

export type Row = typeof records.$inferInsert
export type Other =
  | ('creatorId' | 'creatorText' | 'createdAt' | 'isImported' | 'enrichment' | 'enrichedAt' | 'mergedInto')
  | ('notesEditedBy' | 'notesEditedAt' | 'firstRating' | 'lastActivityAt' | 'lastActivityBy')
/** The columns that say who edited the notes last, and when. */
export type NotesEdit = Pick<Others, 'notesEditedBy' | 'notesEditedAt'>

/** Columns that are not values. `kind` is SQL, because the type of a row has only the visible kinds. */
export type Others = { [Column in Other]?: Row[Column] | SQL } & { kind?: SQL; version?: SQL }
/** Values of the pipeline, as a new version of it. */
type WithPipeline = { pipeline?: PipelineValues | undefined }

export type NewRecord = AllValues &
  Omit<Pick<Row, Other>, 'lastActivityAt'> &
  WithPipeline & { id: string | SQL<string>; lastActivityAt?: SQL<Date> }
export type RecordChange = (AllValues | SomeValues) & Others & WithPipeline

/** A kind, or the kind of its merged records. */
export type WrittenKind = Pick<RecordKind, 'lookup' | 'searched' | 'secondary' | 'fields' | 'addresses'> &
  Parameters<typeof isOfKind>[1]

/** Values of the pipeline by their columns. */
export type PipelineValues = Partial<Pick<typeof records.$inferSelect, PipelineColumn>>

/** Values of the pipeline by their columns, or what computes them. */
export type PipelineChange = { [Column in keyof PipelineValues]: PipelineValues[Column] | SQL }

export function changedColumns(kind: WrittenKind, { pipeline, ...change }: RecordChange): Columns {
  return { ...valueColumns(kind, change), ...(pipeline && pipelineColumns(pipeline)) }
}

function valueColumns(kind: WrittenKind, { fields = {}, ...rest }: RecordChange) {
  if ('info' in rest) {
    const { info, ...others } = rest
    return { ...columnsOf(kind, { fields, info }), ...others } as Columns
  }
  const { facts, ...others } = rest
  const removed = Object.fromEntries((facts?.removed ?? []).map((name) => [name, null]))
  const info = { ...facts?.set, ...removed }
  const text = changedSearchText(kind.searched, { ...info, ...fields })
  const mentions = changedSecondaryText(kind.secondary, { fields, info })
  return {
    ...withKey(kind, fields as Fields),
    ...(fields.rating !== undefined && ratingColumns(fields.rating)),
    ...(text && { searchText: text }),
    ...(mentions && { secondaryText: mentions }),
    ...(facts && factsColumns(facts)),
    ...others,
  } as Columns
}

/**
 * The columns of a change by hand: each has a time of its own, which its entry in the audit log has too. Changes without them, such as
 * those of imports and enrichment, are no activity of the record.
 */
export const byHand = ({ id }: Pick<Caller, 'id'>) => ({
  lastActivityAt: sql`greatest(clock_timestamp(), ${records.lastActivityAt} + interval '1 millisecond')`,
  lastActivityBy: id,
})

export const pipelineColumns = (values: PipelineChange) => ({
  ...(values as PipelineValues),
  pipelineVersion: sql`${records.pipelineVersion} + 1`,
})

type Columns = Parameters<ReturnType<Database['update']>['set']>[0]

/** The columns of all values, including derived ones. */
export const columnsOf = (kind: WrittenKind, { fields, info }: AllValues) => ({
  ...withKey(kind, fields as Fields),
  ...ratingColumns(fields.rating ?? null),
  additionalInfo: info,
  searchText: searchText(kind.searched, { ...info, ...fields }),
  secondaryText: secondaryText(kind.secondary, { fields, info: info ?? {} }),
})

const ratingColumns = (rating: number | null) => ({ rating: rating ?? RATING_DEFAULT, isRated: rating !== null })

/** The columns of enriched values, computed from the stored ones, because a run of enrichment may end meanwhile. */
function factsColumns({ set, removed = [] }: FactsChange) {
  const info = sql`case when jsonb_typeof(${records.additionalInfo}) = 'object' then ${records.additionalInfo} else '{}' end`
  const changed = sql`(${info}) - ${textArray(removed)} || ${JSON.stringify(set)}::jsonb`
  // No public data is null again when the last value is removed.
  return { additionalInfo: removed.length > 0 ? sql`nullif(${changed}, '{}')` : changed }
}

const textArray = (names: string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))`

/** The columns that say who edited the notes last. Equal notes are no edit. */
export function notesEditOf({ id }: Pick<Caller, 'id'>, notes: string) {
  const orKept = (value: SQL, column: AnyColumn) =>
    sql`case when ${records.notes} = ${notes} then ${column} else ${value} end`
  return {
    notesEditedBy: orKept(sql`${id}::uuid`, records.notesEditedBy),
    notesEditedAt: orKept(sql`now()`, records.notesEditedAt),
  }
}
