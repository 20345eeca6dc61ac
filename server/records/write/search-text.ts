import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { fold } from '#contract/fold.ts'
import { type Facts, records } from '#server/db/schema.ts'

/** Separates fields, so that no match spans two of them. Folding removes it from the fields. */
export const BETWEEN = '\u001f'

/** A search term, or a field of a record, folded for comparison. */
export const searchable = (value: unknown): string =>
  typeof value === 'string' ? fold(value).replaceAll(BETWEEN, ' ') : ''

/**
 * The stored search text of a record: its searched fields, folded and separated, each in its position even when empty.
 */
export const searchText = (searched: readonly string[], values: Facts): string =>
  searched.map((field) => searchable(values[field])).join(BETWEEN)

/**
 * The same for a change of some fields; the others keep their stored part. Undefined when no changed field is searched.
 */
export function changedSearchText(searched: readonly string[], values: Facts): SQL | undefined {
  if (!searched.some((field) => field in values)) return undefined
  return withParts(
    records.searchText,
    searched.map((field) => (field in values ? searchable(values[field]) : undefined)),
  )
}

/** A stored text with other parts. An undefined one stays. */
export const withParts = (column: AnyColumn, parts: (string | undefined)[]): SQL =>
  sql.join(
    parts.map((part, index) =>
      part === undefined ? sql`split_part(${column}, ${BETWEEN}, ${sql.raw(String(index + 1))})` : sql`${part}::text`,
    ),
    sql` || ${BETWEEN} || `,
  )

/** The length of a gram. `search_grams` in SQL uses the same length. */
const GRAM_LENGTH = 4

const SURROGATE = /[\ud800-\udfff]/

/** The grams of a folded text, one from each character on. Those at its end are shorter. */
function gramsOf(text: string): string[] {
  const letters = SURROGATE.test(text) ? [...text] : undefined
  return Array.from({ length: letters?.length ?? text.length }, (_, at) =>
    letters ? letters.slice(at, at + GRAM_LENGTH).join('') : text.slice(at, at + GRAM_LENGTH),
  )
}

/** A lexeme as PostgreSQL parses it in a tsvector or tsquery. */
export const lexeme = (text: string) => `'${text.replaceAll(/['\\]/g, '$&$&')}'`

/** The tsvector that `search_grams` builds from a `searchText`, for bulk loads without triggers. */
export const searchGrams = (text: string): string => gramsOf(text).map(lexeme).join(' ')

/** Each further gram of a term costs the index as much as the first, and hardly narrows the result. */
const GRAMS_ASKED = 4

/**
 * The tsquery of a folded term: grams spread over the term, because neighbouring grams mostly occur together. A term shorter
 * than a gram matches all grams that start with it.
 */
export function selectiveGrams(term: string): string {
  const grams = gramsOf(term)
  const whole = grams.slice(0, 1 - GRAM_LENGTH)
  if (whole.length === 0) return `${lexeme(grams[0] ?? '')}:*`
  const count = Math.min(GRAMS_ASKED, Math.ceil(grams.length / GRAM_LENGTH), whole.length)
  const places = Array.from({ length: count }, (_, index) =>
    Math.round((index * (whole.length - 1)) / Math.max(count - 1, 1)),
  )
  return places.map((place) => lexeme(whole[place] ?? '')).join(' & ')
}
