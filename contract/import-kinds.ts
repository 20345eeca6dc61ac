import { type FileFieldName, fileFieldsOf } from './export.ts'
import { type KindName, kinds } from './kinds.ts'
import { type PipelineFileName, pipelineFileFields } from './pipeline-fields.ts'

// What the rows of a file can be: records of a kind, or notes on records that are here. This file has no schemas.

/** The fields that a column of a file of notes can fill. */
export const noteFields = [
  { name: 'record', label: 'record', fileLabel: 'Name of the record' },
  { name: 'address', label: 'address', fileLabel: 'LinkedIn, website or email of the record' },
  { name: 'kind', label: 'kind', fileLabel: 'Kind of the record' },
  { name: 'text', label: 'text' },
  { name: 'author', label: 'author' },
  { name: 'date', label: 'date' },
] as const

export type NoteFieldName = (typeof noteFields)[number]['name']
export type ImportFieldName = FileFieldName | PipelineFileName | NoteFieldName

/** A field that a column can fill, and its label. */
export type ImportField = { name: ImportFieldName; label: string; fileLabel?: string }

export type ImportKindName = KindName | 'note'

export type ImportKind = {
  name: ImportKindName
  path: string
  label: string
  plural: string
  fields: readonly ImportField[]
  /** The field that holds names, which can be in two columns. */
  nameField: 'name' | 'record'
  dateField: 'createdAt' | 'date'
  /** Of each of these, a field needs a column. Otherwise the sentence says what to choose. */
  needs: readonly { oneOf: readonly ImportFieldName[]; sentence: string }[]
  /** The kind of the records that its rows become. */
  recordKind?: KindName
  /** Whether columns that fill no field can be kept in the notes of new records. */
  keepsUnmapped: boolean
  /** The right that importing it needs. */
  right?: 'importNotes'
}

const needsName = [{ oneOf: ['name'], sentence: 'Choose the column that holds the names' }] as const

export const importKinds: readonly ImportKind[] = [
  ...kinds.map(({ name, path, label, plural }) => ({
    ...({
      name,
      path,
      label,
      plural,
      fields: [...fileFieldsOf[name], ...pipelineFileFields],
      nameField: 'name',
      dateField: 'createdAt',
    } as const),
    ...{ needs: needsName, recordKind: name, keepsUnmapped: true },
  })),
  {
    ...{ name: 'note', path: 'notes', label: 'Note', plural: 'Notes', fields: noteFields },
    ...{ nameField: 'record', dateField: 'date', keepsUnmapped: false, right: 'importNotes' },
    needs: [
      { oneOf: ['text'], sentence: 'Choose the column that holds the texts' },
      { oneOf: ['record', 'address'], sentence: 'Choose the column that holds the names or addresses of the records' },
    ],
  },
]

export const importKindNamed = (name: ImportKindName): ImportKind =>
  importKinds.find((kind) => kind.name === name) as ImportKind
