import { type ImportPatch, importFieldsOf, type Mapping } from '#contract/import.ts'
import type { imports } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { invalid } from '#server/http/errors.ts'
import type { InspectedFile } from './files/inspect.ts'
import { guessKind, guessMapping } from './mapping.ts'
import type { ImportRecord } from './store.ts'
import { columnsOf } from './values.ts'

// How the rows of a file become records: guessed from what the file shows, changed by a person.

type Options = Pick<
  typeof imports.$inferInsert,
  'kind' | 'columns' | 'mapping' | 'duplicates' | 'rest' | 'cells' | 'dates' | 'doubts'
>

const kindNamed = (kinds: EnrichedKind[], name: string) => kinds.find((kind) => kind.name === name) as EnrichedKind

/** The options of a new import. */
export function guessedOptions(kinds: EnrichedKind[], { columns }: InspectedFile, fileName: string): Options {
  const kind = guessKind(columns, fileName)
  return { kind, columns, mapping: onlyFor(kindNamed(kinds, kind), guessMapping(kind, columns)) }
}

/**
 * The options after a change by a person. Another dialect or kind guesses the columns again, unless they are given.
 * Throws the 400 for options that do not fit the file.
 */
export function changedOptions(
  kinds: EnrichedKind[],
  record: ImportRecord,
  { columns }: InspectedFile,
  patch: ImportPatch,
): Options {
  const kind = kindNamed(kinds, patch.kind ?? record.kind)
  const isGuessed = patch.dialect !== undefined || kind.name !== record.kind
  const mapping = patch.mapping ?? (isGuessed ? onlyFor(kind, guessMapping(kind.name, columns)) : record.mapping)
  // A guess may lack the name: the person sees the columns, and chooses it.
  if (patch.mapping !== undefined) refuseWrongMapping(kind, columns, patch.mapping)
  return { kind: kind.name, columns, mapping, duplicates: patch.duplicates ?? record.duplicates }
}

/** The columns that match a field of the kind. */
const onlyFor = (kind: EnrichedKind, mapping: Mapping): Mapping => {
  const fields: string[] = [...importFieldsOf[kind.name]]
  return Object.fromEntries(Object.entries(mapping).filter(([field]) => fields.includes(field)))
}

function refuseWrongMapping(kind: EnrichedKind, columns: string[], mapping: Mapping) {
  const fields: string[] = [...importFieldsOf[kind.name]]
  for (const [field, column] of Object.entries(mapping)) {
    if (!fields.includes(field)) throw invalid({ mapping: `${kind.plural} have no field ${field}` })
    if (columnsOf(column).some((at) => at >= columns.length)) throw invalid({ mapping: 'Choose a column of the file' })
  }
  if (mapping.name === undefined) throw invalid({ mapping: 'Choose the column that holds the names' })
}
