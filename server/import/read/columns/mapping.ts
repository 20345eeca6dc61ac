import { EXPORT_COLUMNS, fileFieldsOf, LINE_COLUMNS } from '#contract/export.ts'
import type { Import, Mapping } from '#contract/import.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import { type KindName, kinds } from '#contract/kinds.ts'
import { ownColumnOf, pipelineFileFields } from '#contract/pipeline-fields.ts'
import { kindHeaders } from '#server/kind-headers.ts'
import { pipelineHeaders } from '#server/pipeline/headers.ts'
import type { KindHeaders } from '#server/records/headers.ts'

// Which columns of a file fill which fields: guessed by the names of the columns.

export const keyOf = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The name without an addition such as `(1-10)` or `[EUR]`. */
const bareKeyOf = (column: string) => keyOf(column.replace(/[([].*$/s, ''))

const KNOWN = new Set([
  ...Object.values(pipelineHeaders).flat(),
  ...Object.values(kindHeaders).flatMap(({ columns, nameParts, signs }) => [
    ...Object.values(columns).flat(),
    ...Object.values(nameParts ?? {}).flat(),
    ...signs,
  ]),
])

export const isKnownColumn = (column: string) => KNOWN.has(keyOf(column)) || KNOWN.has(bareKeyOf(column))

/** The last column of a file of refused rows. */
export const REASON = 'reason'

/** The number of columns of all versions of our own export. A new field adds one at the end. */
const EXPORT_WIDTHS = [12, ...EXPORT_COLUMNS.map((_, at) => at + 1).filter((width) => width >= 22)]
const JSONL_EXTRAS = ['additionalInfo', 'notesThread', 'finders']
const exportHeaders = new Set(
  EXPORT_WIDTHS.flatMap((width) => {
    const columns = EXPORT_COLUMNS.slice(0, width)
    return [columns, [...columns, ...JSONL_EXTRAS], [...columns, ...JSONL_EXTRAS, ...LINE_COLUMNS]].map(String)
  }),
)

/** Whether it is our own export, by the whole header, also with the reasons of refused rows. */
export const isOwnExport = (columns: string[]): boolean =>
  exportHeaders.has(columns.join()) || (columns.at(-1) === REASON && exportHeaders.has(columns.slice(0, -1).join()))

/** The column of each field in our own export. */
const ownMapping = (kind: KindName, columns: string[]): Mapping =>
  Object.fromEntries(
    [...fileFieldsOf[kind], ...pipelineFileFields]
      .map((field): [string, number] => [field.name, columns.indexOf(ownColumnOf(field))])
      .filter(([, at]) => at !== -1),
  )

/** The fields that a column of the file fills. Each column fills one field. */
export function guessMapping(kind: KindName, columns: string[]): Mapping {
  if (isOwnExport(columns)) return ownMapping(kind, columns)
  const { name: names = [], ...others } = kindHeaders[kind].columns
  return guessColumns(
    columns,
    { ...others, ...pipelineHeaders },
    { field: 'name', headers: { names, parts: kindHeaders[kind].nameParts } },
  )
}

type Find = (names: readonly string[]) => number | undefined
type NameHeaders = { names: readonly string[]; parts: KindHeaders['nameParts'] | undefined }

/** The columns with these names. A field that comes first takes a column that would fill two; the name takes its own first. */
export function guessColumns(
  columns: string[],
  others: { [Field in ImportFieldName]?: readonly string[] },
  name: { field: 'name' | 'record'; headers: NameHeaders },
): Mapping {
  const keys = columns.map(keyOf)
  const bare = columns.map(bareKeyOf)
  const used = new Set<number>()
  const find: Find = (names) =>
    [keys, bare].flatMap((known) => names.map((name) => known.indexOf(name))).find((at) => at >= 0 && !used.has(at))
  const mapping: Mapping = {}
  const named = findName(name.headers, find, keys)
  if (named !== undefined) mapping[name.field] = named
  for (const at of [named ?? []].flat()) used.add(at)
  for (const [field, names] of Object.entries(others) as [Exclude<ImportFieldName, 'name' | 'record'>, string[]][]) {
    const column = find(names)
    if (column === undefined) continue
    mapping[field] = column
    used.add(column)
  }
  return mapping
}

function findName(
  { names, parts: nameParts }: NameHeaders,
  find: Find,
  keys: string[],
): number | [number, number] | undefined {
  const whole = find(names)
  if (nameParts === undefined) return whole
  const first = find(nameParts.first)
  const last = find(nameParts.last)
  // Next to a first and a last name, only a column of names is as certain: others, such as Record, may hold ids.
  const isWhole = whole !== undefined && nameParts.whole.includes(keys[whole] ?? '')
  // In German, the column Name next to Vorname holds the last name.
  if (isWhole && keys[whole] === 'name' && first !== undefined && keys[first] === 'vorname' && last === undefined) {
    return [first, whole]
  }
  if (!isWhole && first !== undefined && last !== undefined) return [first, last]
  return whole
}

/** Columns that may hold something else than the field, so that a person should look at them. */
const VAGUE = new Set([
  ...[
    'profileurl',
    'url',
    'urls',
    'links',
    'record',
    'people',
    'account',
    'candidate',
    'first',
    'last',
    'size',
    'nota',
  ],
])

/** Whether a column that fills a field may hold something else, by its name. */
export const isVague = (column: string): boolean => VAGUE.has(keyOf(column)) || VAGUE.has(bareKeyOf(column))

/** Whether columns hold the names of records of a kind, or a part of them. */
function hasNames(kind: KindName, columns: string[]): boolean {
  const { first = [], last = [] } = kindHeaders[kind].nameParts ?? {}
  const parts = [...first, ...last]
  return guessMapping(kind, columns).name !== undefined || columns.some((column) => parts.includes(keyOf(column)))
}

/**
 * The kind of a file's rows: the only one whose names it has, else by the names of its columns, else by the name of the
 * file. Our own export has the columns of all kinds, so its values show it.
 */
export function guessKind(
  columns: string[],
  fileName = '',
  samples: string[][] = [],
): { kind: KindName; isCertain: boolean } {
  const isFilled = (name: string) => (samples[columns.indexOf(name)] ?? []).some((value) => value !== '')
  const keys = new Set(columns.map(keyOf))
  const isOwn = isOwnExport(columns)
  const counted = kinds.map(({ name }) => ({
    name,
    signs: isOwn
      ? Number(ownFieldsOf(name).some(isFilled))
      : [...keys].filter((key) => kindHeaders[name].signs.has(key)).length,
  }))
  const named = counted.filter(({ name }) => hasNames(name, columns))
  if (named.length === 1) return { kind: named[0]?.name as KindName, isCertain: true }
  const [first, second] = counted.toSorted((one, other) => other.signs - one.signs)
  if (first && first.signs !== second?.signs) return { kind: first.name, isCertain: true }
  const [byFile] = Object.entries(kindHeaders).find(([, { fileNames }]) => fileNames.test(fileName)) ?? []
  return { kind: (byFile as KindName | undefined) ?? kinds[0].name, isCertain: byFile !== undefined }
}

/** The columns that no other kind has. */
const ownFieldsOf = (kind: KindName): string[] => {
  const others = kinds.flatMap(({ name }) => (name === kind ? [] : fileFieldsOf[name].map((field) => field.name)))
  return fileFieldsOf[kind].map(({ name }) => name).filter((name) => !others.includes(name))
}

/** The texts of the mapped columns, without blank ones. */
export type RowTexts = Partial<Record<ImportFieldName, string>>

/** The columns of a field. A name may have two. */
export const columnsOf = (column: number | [number, number] | undefined): number[] =>
  column === undefined ? [] : [column].flat()

export function textsOf({ mapping }: Pick<Import, 'mapping'>, cells: string[]): RowTexts {
  const texts: RowTexts = {}
  for (const [field, column] of Object.entries(mapping) as [ImportFieldName, number | [number, number]][]) {
    const text = columnsOf(column)
      .map((at) => cells[at]?.trim() ?? '')
      .filter((part) => part !== '')
      .join(' ')
    if (text !== '') texts[field] = text
  }
  return texts
}
