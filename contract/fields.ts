// The declaration of the fields of records. Forms, history, merges, files and labels loop over it. This file has no
// schemas, so that a list renders before the page has loaded zod.

/**
 * The rule of a text that people type. Text with an `example` is a web address; `reads` names another form. A place is
 * stored as the city of a headquarters.
 */
type TextRule = {
  label: string
  max: number
  example?: string
  isRequired?: true
  reads?: 'email' | 'year' | 'count' | 'place'
}

export type Field = {
  /** Its name in forms, in files and, for a column, on the wire of records. */
  name: string
  /** As in a sentence. */
  label: string
  /** Whether the table of records has a column of this name. */
  isColumn?: true
  /** Its name in `additionalInfo`. A field that is also a column is typed there and found here; the typed value holds. */
  info?: string
  /** Whether enrichment fills the column when no person has. It fills all of `additionalInfo`. */
  isFound?: true
  /** How its text is typed. */
  rule?: TextRule
  /**
   * The ways to set it: when a record is added, by an edit, and by a correction. An import changes what an edit or a
   * correction can change.
   */
  editableBy: readonly ('create' | 'put' | 'patch')[]
  /** The place of its text in `search_text`, from 1. Stored texts keep their order, so a new field takes the next. */
  searched?: number
  /** The place of its text in `mention_text`, in which *Also mentioned* searches, from 1. A new field takes the next. */
  secondary?: number
  /** Text in which a longer value says more, an address in any spelling, or the address of a picture. */
  content?: 'prose' | 'address' | 'picture'
  /** Its column in exported files, from 1, which imports read. Older files keep their order: a new field takes the next. */
  file?: number
  /** The label of that column, if it differs. */
  fileLabel?: string
}

/** The names of public data. */
export type InfoName<Fields extends readonly Field[]> = Extract<Fields[number], { info: string }>['info']

/** Its name in the history, in choices of a merge and in the sources of public data. */
export const keyOf = ({ name, info }: Pick<Field, 'name' | 'info'>): string => info ?? name

/** A text of this length is prose of several lines. */
const PROSE_FROM = 1000

/** Whether its value is text of several lines. */
export const isProse = ({ content, rule }: Field) => content === 'prose' && (rule?.max ?? 0) >= PROSE_FROM

const isStored = ({ isColumn, info }: Field) => isColumn === true || info !== undefined

/** The fields that a record stores. Every one of them is merged and shown in its history. */
export const storedFields = <One extends Field>(fields: readonly One[]): One[] => fields.filter(isStored)

/** The fields that can be set in one of these ways. */
export const editableFields = <One extends Field>(fields: readonly One[], ...by: Field['editableBy']): One[] =>
  fields.filter(({ editableBy }) => by.some((way) => editableBy.includes(way)))

/** The fields that enrichment fills, those with a column last. */
export const foundFields = <One extends Field>(fields: readonly One[]): One[] => [
  ...fields.filter(({ info }) => info !== undefined),
  ...fields.filter(({ isFound }) => isFound),
]

/** The fields that `additionalInfo` alone holds. */
export const infoFields = <One extends Field>(fields: readonly One[]): (One & { info: string })[] =>
  fields.filter((field): field is One & { info: string } => field.info !== undefined && !field.isColumn)

/** The fields that files have, in the order of their columns. */
export const fileFields = <One extends Field>(fields: readonly One[]): One[] =>
  fields.filter(({ file }) => file !== undefined).sort((one, other) => (one.file ?? 0) - (other.file ?? 0))

/** The fields in which two records are compared: those that an edit may change last, notes at the end. */
export const comparedFields = <One extends Field>(fields: readonly One[]): One[] => {
  const edited = editableFields(fields, 'put')
  return [...storedFields(fields).filter((field) => !edited.includes(field)), ...edited.reverse()]
}

/** The stored field with this key. */
export const fieldOf = (fields: readonly Field[], key: string): Field | undefined =>
  storedFields(fields).find((field) => keyOf(field) === key)

// The fields that all kinds share. Their rules are in `record.ts`.

export const nameField = {
  name: 'name',
  label: 'name',
  isColumn: true,
  editableBy: ['create', 'patch'],
  searched: 1,
  content: 'prose',
  file: 1,
} as const satisfies Field

export const notesField = {
  name: 'notes',
  label: 'notes',
  isColumn: true,
  editableBy: ['create', 'put'],
  searched: 2,
  file: 5,
} as const satisfies Field

export const ratingField = {
  name: 'rating',
  label: 'rating',
  isColumn: true,
  editableBy: ['create', 'put'],
  file: 6,
} as const satisfies Field

/** Set by the product. An import by a manager sets them on the records that it creates. */
export const creationFields = [
  { name: 'createdBy', label: 'added by', editableBy: [], file: 7 },
  { name: 'createdAt', label: 'added on', editableBy: [], file: 8 },
] as const satisfies readonly Field[]
