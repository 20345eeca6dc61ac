import type { FileFieldName } from '#contract/export.ts'
import type { Import, ImportPatch, Mapping } from '#contract/import.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import type { imports } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { invalid } from '#server/http/errors.ts'
import { emailOf, marksEmptiness, ratingOf, scaleOf } from './cell-values.ts'
import type { InspectedFile } from './files/inspect.ts'
import { guessKind, guessMapping, isOwnExport, isVague } from './mapping.ts'
import { restOf } from './rest.ts'
import type { ImportRecord } from './store.ts'
import { columnsOf } from './values.ts'

// How the rows of a file become records: guessed from what the file shows, changed by a person.

type Options = Pick<
  typeof imports.$inferInsert,
  'kind' | 'columns' | 'mapping' | 'duplicates' | 'rest' | 'cells' | 'dates' | 'doubts'
>

const kindNamed = (kinds: EnrichedKind[], name: string) => kinds.find((kind) => kind.name === name) as EnrichedKind

/** The options of a new import. */
export function guessedOptions(
  kinds: EnrichedKind[],
  file: InspectedFile,
  fileName: string,
  uploader: Account,
): Options {
  const { columns, inspection } = file
  const { kind, isCertain } = guessKind(columns, fileName, inspection.samples)
  const mapping = onlyFor(kindNamed(kinds, kind), guessMapping(kind, columns))
  const doubts = {
    ...doubtsOfFile(file),
    ...(!isCertain && { kind: true }),
    ...(!isSureMapping(file, mapping) && { mapping: true }),
    ...(isManager(uploader) && doubtOfDates(file, mapping)),
  }
  return { kind, columns, mapping, rest: restOf(file, mapping), doubts }
}

/**
 * The options after a change by a person, which ends the doubts about it. Another dialect or kind guesses the columns
 * again, unless they are given. Throws the 400 for options that do not fit the file.
 */
export function changedOptions(
  kinds: EnrichedKind[],
  record: ImportRecord,
  file: InspectedFile,
  patch: ImportPatch,
): Options {
  const { columns } = file
  const kind = kindNamed(kinds, patch.kind ?? record.kind)
  const isGuessed = patch.dialect !== undefined || kind.name !== record.kind
  const mapping = patch.mapping ?? (isGuessed ? onlyFor(kind, guessMapping(kind.name, columns)) : record.mapping)
  // A guess without a name shows a person how the file would be read.
  if (patch.mapping !== undefined) refuseWrongMapping(kind, columns, mapping)
  refuseWrongRest(columns, patch.rest)
  // A column keeps its treatment, unless the columns are others now.
  const chosen = { ...(columns.join('\n') === record.columns.join('\n') && record.rest), ...patch.rest }
  const dates = patch.dates ?? record.dates
  const isDoubted = patch.mapping === undefined && (isGuessed ? !isSureMapping(file, mapping) : record.doubts.mapping)
  return {
    ...{ kind: kind.name, columns, mapping, dates, rest: restOf(file, mapping, chosen) },
    duplicates: patch.duplicates ?? record.duplicates,
    cells: patch.cells ?? record.cells,
    doubts: {
      ...(patch.dialect === undefined && doubtsOfFile(file)),
      ...(patch.kind === undefined && record.doubts.kind && { kind: true }),
      ...(isDoubted && { mapping: true }),
      ...(dates === null && record.byRole === 'manager' && doubtOfDates(file, mapping)),
    },
  }
}

const doubtsOfFile = ({ inspection }: InspectedFile): Import['doubts'] => ({
  ...(!inspection.isCertain && { dialect: true }),
  ...(inspection.encodingSample !== undefined && { encoding: inspection.encodingSample }),
})

/** A date that can be read in two ways, if the column of dates has no other evidence. Only managers' dates count. */
function doubtOfDates({ inspection }: InspectedFile, { createdAt }: Mapping): Import['doubts'] {
  const dates = createdAt === undefined ? undefined : inspection.dates[createdAt]
  return dates?.order === 'either' ? { dates: dates.example } : {}
}

/** Whether a field may hold this text. Other fields hold any text. */
const rules: Partial<Record<FileFieldName, (text: string, header: string) => boolean>> = {
  linkedIn: (text) => /linkedin\.|^[\w-]+$/i.test(text),
  website: (text) => /^\S+\.\S+$/.test(text.split(/[,;]?\s/, 1)[0] ?? ''),
  email: (text) => emailOf(text) !== undefined,
  rating: (text, header) => ratingOf(text, scaleOf(header)) !== undefined,
}

/** Whether the name is known, and each column is named after its field and has such values. */
function isSureMapping({ columns, inspection }: InspectedFile, mapping: Mapping): boolean {
  if (mapping.name === undefined) return false
  if (isOwnExport(columns)) return true
  return Object.entries(mapping).every(([field, column]) =>
    columnsOf(column).every((at) => {
      const header = columns[at] ?? ''
      const samples = (inspection.samples[at] ?? []).filter((text) => !marksEmptiness(text.trim()))
      const rule = rules[field as FileFieldName]
      const isFit = rule === undefined || samples.every((text) => rule(text.trim(), header))
      // Values that only fit this field make up for a name that says little.
      return isFit && (!isVague(header) || (rule !== undefined && samples.length > 0) || Array.isArray(column))
    }),
  )
}

/** The columns that match a field of the kind. */
const onlyFor = (kind: EnrichedKind, mapping: Mapping): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([field]) => hasField(kind, field)))

const hasField = ({ fileFields }: EnrichedKind, field: string) => fileFields.some(({ name }) => name === field)

function refuseWrongMapping(kind: EnrichedKind, columns: string[], mapping: Mapping) {
  for (const [field, column] of Object.entries(mapping)) {
    if (!hasField(kind, field)) throw invalid({ mapping: `${kind.plural} have no field ${field}` })
    if (columnsOf(column).some((at) => at >= columns.length)) throw invalid({ mapping: 'Choose a column of the file' })
  }
  if (mapping.name === undefined) throw invalid({ mapping: 'Choose the column that holds the names' })
}

function refuseWrongRest(columns: string[], rest: ImportPatch['rest'] = {}) {
  if (Object.keys(rest).some((column) => Number(column) >= columns.length)) {
    throw invalid({ rest: 'Choose a column of the file' })
  }
}
