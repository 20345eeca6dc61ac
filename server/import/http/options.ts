import type { Import, ImportPatch, Mapping } from '#contract/import.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { imports } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import { marksEmptiness } from '#server/import/read/cells/cell-values.ts'
import { columnsOf, guessKind, isOwnExport, isVague } from '#server/import/read/columns/mapping.ts'
import { unmappedColumns } from '#server/import/read/columns/unmapped-columns.ts'
import type { InspectedFile } from '#server/import/read/files/inspect.ts'
import type { ImportRecord } from '#server/import/store/store.ts'
import type { ImportTarget } from '#server/import/target.ts'
import { looksLikeNotes } from '#server/import/targets/notes/headers.ts'
import { targetNamed } from '#server/import/targets/targets.ts'
import { type HasRole, rights } from '#server/rights.ts'

// How the rows of a file become records: guessed from what the file shows, changed by a person.

type Options = Pick<
  typeof imports.$inferInsert,
  'kind' | 'columns' | 'mapping' | 'duplicates' | 'rest' | 'cells' | 'dates' | 'choices' | 'createTags' | 'doubts'
>

/** The options of a new import. */
export function guessedOptions(
  targets: ImportTarget[],
  file: InspectedFile,
  fileName: string,
  uploader: Account,
): Options {
  const { columns, inspection } = file
  const { kind, isCertain } =
    rights.importNotes.allows(uploader) && looksLikeNotes(columns)
      ? ({ kind: 'note', isCertain: true } as const)
      : guessKind(columns, fileName, inspection.samples)
  const target = targetNamed(targets, kind)
  const mapping = onlyFor(target, target.guessMapping(columns))
  const doubts = {
    ...doubtsOfFile(file),
    ...(!isCertain && { kind: true }),
    ...(!isSureMapping(target, file, mapping) && { mapping: true }),
    ...doubtOfDates(target, file, mapping, uploader),
  }
  return { kind, columns, mapping, rest: unmappedColumns(target, file, mapping), doubts }
}

/**
 * The options after a change by a person, which ends the doubts about it. Another dialect or kind guesses the columns
 * again, unless they are given. Throws the 400 for options that do not fit the file.
 */
export function changedOptions(
  targets: ImportTarget[],
  record: ImportRecord,
  file: InspectedFile,
  patch: ImportPatch,
): Options {
  const { columns } = file
  const target = targetNamed(targets, patch.kind ?? record.kind)
  const isGuessed = patch.dialect !== undefined || target.name !== record.kind
  const mapping = patch.mapping ?? (isGuessed ? onlyFor(target, target.guessMapping(columns)) : record.mapping)
  // A guess without a name shows a person how the file would be read.
  if (patch.mapping !== undefined) refuseWrongMapping(target, columns, mapping)
  refuseWrongRest(target, columns, patch.rest)
  // A column keeps its treatment, unless the columns are others now.
  const chosen = { ...(columns.join('\n') === record.columns.join('\n') && record.rest), ...patch.rest }
  const dates = patch.dates ?? record.dates
  const isDoubted =
    patch.mapping === undefined && (isGuessed ? !isSureMapping(target, file, mapping) : record.doubts.mapping)
  return {
    ...{ kind: target.name, columns, mapping, dates, rest: unmappedColumns(target, file, mapping, chosen) },
    duplicates: patch.duplicates ?? record.duplicates,
    cells: patch.cells ?? record.cells,
    choices: choicesAfter(record, patch),
    createTags: patch.createTags ?? record.createTags,
    doubts: {
      ...(patch.dialect === undefined && doubtsOfFile(file)),
      ...(patch.kind === undefined && record.doubts.kind && { kind: true }),
      ...(isDoubted && { mapping: true }),
      ...(dates === null && doubtOfDates(target, file, mapping, record.uploader)),
    },
  }
}

const doubtsOfFile = ({ inspection }: InspectedFile): Import['doubts'] => ({
  ...(!inspection.isCertain && { dialect: true }),
  ...(inspection.encodingSample !== undefined && { encoding: inspection.encodingSample }),
})

/** Null while a person has chosen nothing for unknown values. */
const choicesAfter = ({ choices }: Pick<ImportRecord, 'choices'>, patch: ImportPatch): Import['choices'] | null =>
  patch.choices === undefined && patch.createTags === undefined ? choices : { ...choices, ...patch.choices }

/** A date that can be read in two ways, if its column has no other evidence. Only managers' dates of creation count. */
function doubtOfDates(
  { dateField }: ImportTarget,
  { inspection }: InspectedFile,
  mapping: Mapping,
  uploader: HasRole,
): Import['doubts'] {
  const columns = [rights.importCreation.allows(uploader) ? mapping[dateField] : undefined, mapping.nextOn]
  const dates = columns.map((column) => (column === undefined ? undefined : inspection.dates[column]))
  const doubted = dates.find((known) => known?.order === 'either')
  return doubted ? { dates: doubted.example } : {}
}

/** Whether the needed fields are known, and each column is named after its field and has such values. */
function isSureMapping(target: ImportTarget, { columns, inspection }: InspectedFile, mapping: Mapping): boolean {
  if (lackOf(target, mapping) !== undefined) return false
  if (isOwnExport(columns)) return true
  return Object.entries(mapping).every(([field, column]) =>
    columnsOf(column).every((at) => {
      const header = columns[at] ?? ''
      const samples = (inspection.samples[at] ?? []).filter((text) => !marksEmptiness(text.trim()))
      const rule = target.rules[field as ImportFieldName]
      const isFit = rule === undefined || samples.every((text) => rule(text.trim(), header))
      // Values that only fit this field make up for a name that says little.
      return isFit && (!isVague(header) || (rule !== undefined && samples.length > 0) || Array.isArray(column))
    }),
  )
}

/** What a mapping lacks. */
const lackOf = ({ needs }: ImportTarget, mapping: Mapping): string | undefined =>
  needs.find(({ oneOf }) => oneOf.every((field) => mapping[field] === undefined))?.sentence

/** The columns that match a field of the target. */
const onlyFor = (target: ImportTarget, mapping: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([field]) => hasField(target, field)))

const hasField = ({ fields }: ImportTarget, field: string) => fields.some(({ name }) => name === field)

function refuseWrongMapping(target: ImportTarget, columns: string[], mapping: Mapping) {
  for (const [field, column] of Object.entries(mapping)) {
    if (!hasField(target, field)) throw invalid({ mapping: `${target.plural} have no field ${field}` })
    if (columnsOf(column).some((at) => at >= columns.length)) throw invalid({ mapping: 'Choose a column of the file' })
  }
  const lack = lackOf(target, mapping)
  if (lack !== undefined) throw invalid({ mapping: lack })
}

function refuseWrongRest({ keepsUnmapped }: ImportTarget, columns: string[], rest: ImportPatch['rest'] = {}) {
  if (Object.keys(rest).some((column) => Number(column) >= columns.length)) {
    throw invalid({ rest: 'Choose a column of the file' })
  }
  if (!keepsUnmapped && Object.values(rest).includes('notes')) {
    throw invalid({ rest: 'Other columns of a file of notes cannot be kept' })
  }
}
