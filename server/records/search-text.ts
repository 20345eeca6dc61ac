import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Stands between fields, so that no match runs from one into the next; folding keeps it out of the fields. */
const BETWEEN = '\u001f'

/** The one folding of text for search: what differs only in case or compatibility form is the same. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(BETWEEN, ' ')

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

/** True where a column of `searchText` contains the term; `%`, `_` and `\` in it are ordinary characters. */
export const matches = (column: AnyColumn, term: string): SQL =>
  sql`${column} like ${`%${fold(term).replaceAll(/[\\%_]/g, '\\$&')}%`}`
