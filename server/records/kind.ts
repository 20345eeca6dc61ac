import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { DuplicateReason, Similar } from '#contract/duplicates.ts'
import { editableFields, type Field, fileFields, infoFields, keyOf, storedFields } from '#contract/fields.ts'
import type { KindField } from '#contract/kind-fields.ts'
import { type Kind, type KindName, kinds } from '#contract/kinds.ts'
import type { ListQuery, RecordCorrection, RecordPatch } from '#contract/record.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Facts, records } from '#server/db/schema.ts'
import type { NameParts } from '#server/names/likeness.ts'
import { secondaryValues } from './write/secondary-text.ts'

type NewRecord = typeof records.$inferInsert

/** The columns that a person or enrichment fills: those of declared fields, and whether a rating was given. */
export type Fields = Partial<Pick<NewRecord, Extract<KindField, { isColumn: true }>['name'] | 'isRated'>>

/** A declared field. Its column, if it has one, is in the schema under its name. */
export type RecordField = Field & ({ isColumn: true; name: keyof Fields } | { isColumn?: never })

/** The fields of a kind, and what the mechanics of records read from them. */
export const declaredFields = (fields: readonly RecordField[]) => ({
  fields,
  /** The columns that people fill. */
  typed: editableFields(fields, 'create').map(({ name }) => name),
  /** The columns of the table that hold its values. */
  columns: fields.filter(({ isColumn }) => isColumn).map(({ name }) => name as keyof Fields),
  /** Those that exported files have, and imports read. */
  fileFields: fileFields(fields),
  /** Those that public data alone fills. */
  infoFields: infoFields(fields),
  /** The names of the searched values, in the order of their texts. */
  searched: fields
    .filter(({ searched }) => searched !== undefined)
    .sort((one, other) => (one.searched ?? 0) - (other.searched ?? 0))
    .map(keyOf),
  /** The values in which *Also mentioned* searches, in the order of their texts. */
  secondary: secondaryValues(fields),
  /** The names of the values whose changes fellows see. */
  shownInHistory: storedFields(fields).map(keyOf),
})
type DeclaredFields = ReturnType<typeof declaredFields>

/** The shapes of a kind on the wire. */
type Contract<Input> = {
  Record: z.ZodType
  /** A record in a list. */
  Listed: z.ZodType
  Input: z.ZodType<Input>
  Patch: z.ZodType<RecordPatch>
  Correction: z.ZodType<RecordCorrection>
  ListQuery: z.ZodObject & z.ZodType<ListQuery>
  SimilarQuery: z.ZodType<{ name?: string | undefined }>
  /** Of a kind with values to suggest. */
  ValuesQuery?: z.ZodType<{ of: string; search?: string | undefined }>
  Created: z.ZodType
  Refresh: z.ZodType
  Hints: z.ZodType<object>
}

/** The condition that a filter of a kind stands for, with this value of its parameter. */
export type RecordFilter = (value: string, context: { kind: RecordKind }) => SQL

/** A text that a filter compares as a whole, in any case. It has an index, with the rows that have one. */
export type WholeText = { text: SQL; isGiven: SQL }

export const isWholeText =
  ({ text, isGiven }: WholeText): RecordFilter =>
  (value) =>
    sql`${isGiven} and without_case(${text}) = without_case(${value})`

/** The declaration of one kind for the mechanics of records. */
export type RecordKind<Input extends Fields = Fields> = Kind &
  DeclaredFields & {
    contract: Contract<Input>
    /** The conditions of the filters that only its lists have. Each has an index. */
    filters: Readonly<Record<string, RecordFilter>>
    /** The filters by a text whose values are suggested. */
    suggested?: Readonly<Record<string, WholeText>>
    /**
     * The address that identifies duplicates: its field, the column of its normalised form, and the function that
     * normalises it.
     */
    lookup: {
      field: 'linkedIn' | 'website'
      column: 'linkedInKey' | 'domainKey'
      reason: DuplicateReason
      keyOf: (address: string) => string | null
      /** For a domain: its parents. The domain of a record that is one of them, or below it, is the same. */
      parentsOf?: (key: string) => string[]
    }
    /** The columns with an address of its own, by which providers look it up, and the functions that normalise them. */
    addresses: { [Column in 'linkedIn' | 'website']?: (address: string) => string | null }
    /** The comparison of names: SQL functions for their forms, words and keys, and the likeness of two names. */
    matching: {
      forms: 'person_forms' | 'company_forms'
      words: 'name_words' | 'company_words'
      keys: 'person_keys' | 'company_keys'
      likeness: (one: NameParts, other: NameParts) => number
      /** The SQL function for the words that few names have, if the likeness uses them. */
      distinctive: 'company_distinctive' | null
      /** The name, and its other forms that a look-up includes. */
      variants: (folded: string) => string[]
      /** Whether its enriched email identifies it. There is an index for it then. */
      byEmail: boolean
      /** Whether an equal LinkedIn profile is one person or company, whatever the names. */
      isProfileEnough: boolean
    }
    /** A record in one line, from its enriched values. */
    brief: (info: Facts) => Pick<Similar, 'picture' | 'title' | 'company' | 'facts'>
  }

/** True for rows of this kind. The name is a literal: with a parameter, a generic plan ignores the partial indexes. */
export const isOfKind = (column: AnyColumn | SQL, { name }: { name: KindName | HiddenKindName }): SQL =>
  sql`${column} = ${sql.raw(`'${name}'`)}`

/** True for rows of any of these kinds, by default all of them, without merged and deleted records. */
export const isOfAny = (column: AnyColumn, ofKinds: readonly { name: string }[] = kinds): SQL =>
  sql`${column} in (${sql.raw(ofKinds.map(({ name }) => `'${name}'`).join(', '))})`

/** The kind of a merged record's row. No list, search, count or policy includes it. */
type MergedKindName = `merged-${KindName}`

/** The kind of a deleted record's row, and of everything merged into it, until it is restored or its time is over. */
type DeletedKindName = `deleted-${KindName}`

type HiddenKindName = MergedKindName | DeletedKindName

export const mergedKind = ({ name }: { name: KindName }): { name: MergedKindName } => ({ name: `merged-${name}` })

export const deletedKind = ({ name }: { name: KindName }): { name: DeletedKindName } => ({ name: `deleted-${name}` })

/** A prepared query for each kind, built from its declaration. */
export function preparedOfKind<Query, Of extends { name: KindName } = { name: KindName }>(
  build: (db: Database, kind: Of) => Query,
) {
  const ofKinds = new Map<KindName, (db: Database) => Query>()
  return (db: Database, kind: Of): Query => {
    const known = ofKinds.get(kind.name) ?? prepared((of) => build(of, kind))
    ofKinds.set(kind.name, known)
    return known(db)
  }
}
