import type { Import, Mapping } from '#contract/import.ts'
import { type ImportFieldName, type ImportKindName, importKindNamed } from '#contract/import-kinds.ts'
import { kinds } from '#contract/kinds.ts'
import { labelOf } from '#web/import/words.ts'

// What each column of a file fills: a mapping seen from its columns.

/** What a column fills: a field, a part of the name, or nothing (''). */
export type Fill = ImportFieldName | 'firstName' | 'lastName' | ''

/** What becomes of a column that fills nothing. */
export type Rest = Import['rest'][string]

/** The field of each column, in the order of the columns. */
export function fillsOf({ columns, mapping }: Pick<Import, 'columns' | 'mapping'>): Fill[] {
  const fills = columns.map((): Fill => '')
  for (const [field, at] of Object.entries(mapping) as [ImportFieldName, number | [number, number]][]) {
    if (typeof at === 'number') fills[at] = field
    else {
      fills[at[0]] = 'firstName'
      fills[at[1]] = 'lastName'
    }
  }
  return fills
}

/** The mapping of these fills. A first or last name alone is the name. */
export function mappingOf(kind: ImportKindName, fills: Fill[]): Mapping {
  const { nameField } = importKindNamed(kind)
  const mapping: Record<string, number> = {}
  for (const [at, fill] of fills.entries()) if (fill !== '') mapping[fill] = at
  const { firstName, lastName, ...others } = mapping
  if (firstName !== undefined && lastName !== undefined) return { ...others, [nameField]: [firstName, lastName] }
  const name = firstName ?? lastName
  return name === undefined ? others : { ...others, [nameField]: name }
}

const WHOLE_NAMES: Fill[] = ['name', 'record']
const NAMES: Fill[] = [...WHOLE_NAMES, 'firstName', 'lastName']

/** The fills after a choice: a field has one column, and a name is whole or in two parts. */
export function withFill(fills: Fill[], at: number, fill: Fill): Fill[] {
  const isOusted = (other: Fill) =>
    other === fill ||
    (WHOLE_NAMES.includes(fill) ? NAMES.includes(other) : NAMES.includes(fill) && WHOLE_NAMES.includes(other))
  return fills.map((other, index) => {
    if (index === at) return fill
    return fill !== '' && isOusted(other) ? '' : other
  })
}

/** The treatment of every column that fills nothing. */
export const restsOf = (fills: Fill[], rests: Record<string, Rest>): Record<string, Rest> =>
  Object.fromEntries(fills.flatMap((fill, at) => (fill === '' ? [[String(at), rests[at] ?? 'notes']] : [])))

/** The choices for a column of this kind, with their labels. */
export const fillChoices = (kind: ImportKindName): { value: Fill; label: string }[] => [
  { value: '', label: 'No field' },
  ...importKindNamed(kind).fields.flatMap((field): { value: Fill; label: string }[] => {
    const choice = { value: field.name, label: labelOf(field) }
    if (!WHOLE_NAMES.includes(field.name) || kinds.some(({ name, isPerson }) => name === kind && !isPerson))
      return [choice]
    return [choice, { value: 'firstName', label: 'First name' }, { value: 'lastName', label: 'Last name' }]
  }),
]

/** What to choose before the preview; undefined when nothing is missing. */
export function lackOf(kind: ImportKindName, mapping: Mapping): string | undefined {
  const lack = importKindNamed(kind).needs.find(({ oneOf }) => oneOf.every((field) => mapping[field] === undefined))
  return lack && `${lack.sentence}.`
}
