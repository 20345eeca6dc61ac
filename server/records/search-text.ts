import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Stands between fields, so that no match runs from one into the next; folding keeps it out of the fields. */
const BETWEEN = '\u001f'

/** The one folding of text for search: what differs only in case or compatibility form is the same. */
export const fold = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(BETWEEN, ' ')

/** What is kept beside a record for searches: its fields folded, apart, each in its place even when it is empty. */
export const searchText = (fields: string[]): string => fields.map(fold).join(BETWEEN)

/** A column of `searchText` with some of its fields replaced; an undefined one stays as the row has it. */
export const searchTextWith = (column: AnyColumn, fields: (string | undefined)[]): SQL =>
  sql.join(
    fields.map((field, index) =>
      field === undefined
        ? sql`split_part(${column}, ${BETWEEN}, ${sql.raw(String(index + 1))})`
        : sql`${fold(field)}::text`,
    ),
    sql` || ${BETWEEN} || `,
  )

/** Characters of a run; `search_grams` in the migrations cuts the same ones. */
export const RUN_LENGTH = 4

const SURROGATE = /[\ud800-\udfff]/

/** The runs of a folded text, from each of its characters on; those at its end are shorter. */
export function runsOf(text: string): string[] {
  const runs: string[] = []
  if (!SURROGATE.test(text)) {
    for (let at = 0; at < text.length; at += 1) runs.push(text.slice(at, at + RUN_LENGTH))
    return runs
  }
  const letters = [...text]
  for (let at = 0; at < letters.length; at += 1) runs.push(letters.slice(at, at + RUN_LENGTH).join(''))
  return runs
}

const WEEK_MS = 604_800_000

/** The week of a time, counted from 1970. */
export const weekOf = (time: Date | number) => Math.floor(Number(time) / WEEK_MS)
export const startOfWeek = (week: number) => new Date(week * WEEK_MS)

/** What stands among the runs for the week that a record is of. */
export const weekMark = (week: number) => BETWEEN + week

/** A lexeme as PostgreSQL reads it in a tsvector or tsquery. */
export const lexeme = (text: string) => `'${text.replaceAll(/['\\]/g, '$&$&')}'`

/** The tsvector that `search_grams` makes of a `searchText`: for a load that has its triggers off. */
export const searchGrams = (text: string, createdAt: Date): string =>
  [...runsOf(text), weekMark(weekOf(createdAt))].map(lexeme).join(' ')
