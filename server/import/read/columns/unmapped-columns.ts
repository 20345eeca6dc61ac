import type { Import, Mapping } from '#contract/import.ts'
import type { Inspection } from '#contract/import-file.ts'
import type { ImportKind } from '#contract/import-kinds.ts'

import { columnsOf, isOwnExport, REASON } from './mapping.ts'

// The columns that fill no field: whether new records keep them in their notes.

/** Parts of words, in English, German, French and Spanish, without accents. */
const SENSITIVE = [
  ...['birth', 'geburt', 'naissance', 'nacimiento', 'cumpleanos', 'anniversaire'],
  ...['phone', 'telef', 'handy', 'mobilnummer', 'mobiltel', 'whatsapp'],
  ...['salar', 'salaire', 'gehalt', 'remuneration', 'vergutung', 'compensation', 'sueldo', 'remuneracion'],
  ...['gender', 'geschlecht', 'pronoun'],
]
/** Whole words, which are parts of other words. */
const SENSITIVE_WORDS = new Set([
  ...[
    'born',
    'dob',
    'bday',
    'age',
    'alter',
    'edad',
    'tel',
    'tels',
    'mobile',
    'mobil',
    'cell',
    'portable',
    'movil',
    'celular',
  ],
  ...['fax', 'wage', 'wages', 'pay', 'lohn', 'sex', 'sexe', 'sexo', 'genre', 'genero'],
])
const ID_WORDS = new Set(['id', 'ids', 'uuid', 'guid', 'identifier', 'identifiant', 'identificador', 'kennung'])

const wordsOf = (column: string): string[] =>
  column
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Birth, phone, salary or gender, which fellows have no reason to keep. */
export function isSensitive(column: string): boolean {
  const words = wordsOf(column)
  return words.some((word) => SENSITIVE_WORDS.has(word) || SENSITIVE.some((part) => word.includes(part)))
}

export function isId(column: string): boolean {
  const words = wordsOf(column)
  return ID_WORDS.has(words[0] ?? '') || ID_WORDS.has(words.at(-1) ?? '')
}

/** A column without a name that counts the rows. */
const isIndex = (column: string, samples: string[] = []) =>
  /^(?:Column|Unnamed:) \d+$/.test(column) &&
  samples.length > 1 &&
  samples.every((value, at) => /^\d+$/.test(value) && Number(value) === Number(samples[0]) + at)

type File = Pick<Import, 'columns' | 'dialect'> & { inspection: Pick<Inspection, 'constant' | 'samples'> }

/** The treatment of each column that fills no field: kept where the target can keep it, unless it is an id, an index, sensitive, or the same in all rows. */
export function unmappedColumns(
  { keepsUnmapped }: Pick<ImportKind, 'keepsUnmapped'>,
  { columns, dialect, inspection }: File,
  mapping: Mapping,
  chosen: Import['rest'] = {},
): Import['rest'] {
  const filled = new Set(Object.values(mapping).flatMap(columnsOf))
  const constant = new Set(inspection.constant)
  const isOurs = isOwnExport(columns)
  const isDropped = (column: string, at: number) =>
    !keepsUnmapped ||
    constant.has(at) ||
    isId(column) ||
    isIndex(column, inspection.samples[at]) ||
    isSensitive(column) ||
    (at === columns.length - 1 && column === REASON) ||
    // Notes and finders of our own export are no text for notes.
    (dialect.format === 'jsonl' && isOurs)
  return Object.fromEntries(
    columns.flatMap((column, at) =>
      filled.has(at) ? [] : [[at, (keepsUnmapped && chosen[at]) || (isDropped(column, at) ? 'drop' : 'notes')]],
    ),
  )
}
