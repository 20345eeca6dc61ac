import { EXPORT_COLUMNS } from '#contract/export.ts'
import { importFieldsOf, type Mapping } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'
import { COLUMNS, FIRST, LAST, type OneColumn, SIGNS, VAGUE, WHOLE } from './headers.ts'

// Guesses which columns of a file fill which fields, by the names of the columns.

export const keyOf = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The name without an addition such as `(1-10)` or `[EUR]`. */
const bareKeyOf = (column: string) => keyOf(column.replace(/[([].*$/s, ''))

const KNOWN = new Set([
  ...[FIRST, LAST, ...Object.values(SIGNS).map((signs) => [...signs])].flat(),
  ...Object.values(COLUMNS).flatMap(({ name, others }) => [...name, ...Object.values(others).flat()]),
])

export const isKnownColumn = (column: string) => KNOWN.has(keyOf(column)) || KNOWN.has(bareKeyOf(column))

/** The last column of a file of refused rows. */
export const REASON = 'reason'

/** The columns of all versions of our own export. */
const EXPORT_WIDTHS = [12, 22]
const JSONL_EXTRAS = ['additionalInfo', 'notesThread', 'finders']
const exportHeaders = new Set(
  EXPORT_WIDTHS.flatMap((width) => {
    const columns = EXPORT_COLUMNS.slice(0, width)
    return [columns.join(), [...columns, ...JSONL_EXTRAS].join()]
  }),
)

/** Whether it is our own export, by the whole header, also with the reasons of refused rows. */
export const isOwnExport = (columns: string[]): boolean =>
  exportHeaders.has(columns.join()) || (columns.at(-1) === REASON && exportHeaders.has(columns.slice(0, -1).join()))

/** The column of each field in our own export. */
const ownMapping = (kind: KindName, columns: string[]): Mapping =>
  Object.fromEntries(importFieldsOf[kind].map((field) => [field, columns.indexOf(field)]).filter(([, at]) => at !== -1))

/** The fields that a column of the file fills. Each column fills one field. */
export function guessMapping(kind: KindName, columns: string[]): Mapping {
  if (isOwnExport(columns)) return ownMapping(kind, columns)
  const keys = columns.map(keyOf)
  const bare = columns.map(bareKeyOf)
  const used = new Set<number>()
  const find = (names: string[]) =>
    [keys, bare].flatMap((known) => names.map((name) => known.indexOf(name))).find((at) => at >= 0 && !used.has(at))
  const mapping: Mapping = {}
  const name = kind === 'founder' ? founderName(find, keys) : find(COLUMNS.company.name)
  if (name !== undefined) mapping.name = name
  for (const at of [name ?? []].flat()) used.add(at)
  for (const [field, names] of Object.entries(COLUMNS[kind].others) as [OneColumn, string[]][]) {
    const column = find(names)
    if (column === undefined) continue
    mapping[field] = column
    used.add(column)
  }
  return mapping
}

function founderName(
  find: (names: string[]) => number | undefined,
  keys: string[],
): number | [number, number] | undefined {
  const whole = find(COLUMNS.founder.name)
  const first = find(FIRST)
  const last = find(LAST)
  // Next to a first and a last name, only a column of names is as certain: others, such as Record, may hold ids.
  const isWhole = whole !== undefined && WHOLE.includes(keys[whole] ?? '')
  // In German, the column Name next to Vorname holds the last name.
  if (isWhole && keys[whole] === 'name' && first !== undefined && keys[first] === 'vorname' && last === undefined) {
    return [first, whole]
  }
  if (!isWhole && first !== undefined && last !== undefined) return [first, last]
  return whole
}

/** Whether a column that fills a field may hold something else, by its name. */
export const isVague = (column: string): boolean => VAGUE.has(keyOf(column)) || VAGUE.has(bareKeyOf(column))

const FILE_NAMES: [KindName, RegExp][] = [
  ['company', /compan|organi[sz]ation|startup|account|firmen|unternehmen|entreprise|empresa/i],
  ['founder', /founder|people|person|contact|connection|gr[üu]nder|kontakt|fondateur|fundador|contacto/i],
]

const COMPANY_VALUES = ['website', 'description', 'place', 'industry', 'founded', 'employees']
const FOUNDER_VALUES = ['company', 'title', 'email', 'bio']

/**
 * The kind of a file's rows, by the names of its columns, else by the name of the file. Our own export has the columns
 * of all kinds, so its values show it.
 */
export function guessKind(
  columns: string[],
  fileName = '',
  samples: string[][] = [],
): { kind: KindName; isCertain: boolean } {
  const isFilled = (names: string[]) =>
    names.some((name) => (samples[columns.indexOf(name)] ?? []).some((value) => value !== ''))
  const keys = new Set(columns.map(keyOf))
  const signsOf = (kind: KindName) => [...keys].filter((key) => SIGNS[kind].has(key)).length
  const [founders, companies] = isOwnExport(columns)
    ? [Number(isFilled(FOUNDER_VALUES)), Number(isFilled(COMPANY_VALUES))]
    : [signsOf('founder'), signsOf('company')]
  if (founders !== companies) return { kind: founders > companies ? 'founder' : 'company', isCertain: true }
  const [named] = FILE_NAMES.find(([, pattern]) => pattern.test(fileName)) ?? []
  return { kind: named ?? 'founder', isCertain: named !== undefined }
}
