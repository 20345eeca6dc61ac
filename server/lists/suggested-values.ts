import { type SQL, sql } from 'drizzle-orm'
import { NAME_MAX, SUGGESTED_MAX } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind, type WholeText } from '#server/records/kind.ts'

/**
 * Values of a text that begin with what is typed, in their order, each once, as the newest record has it. Each is the next row of
 * the index, so no more rows are read than there are values.
 */
export async function listSuggested(db: Database, kind: RecordKind, of: WholeText, typed = ''): Promise<string[]> {
  const key = sql`without_case(${of.text})`
  const first = (condition: SQL) => sql`
    select ${key} as key, ${of.text} as value from ${records}
    where ${isOfKind(records.kind, kind)} and ${of.isGiven} and ${key} ${condition}
    order by ${key}, ${records.createdAt} desc, ${records.id} desc limit 1`
  const begins = (text: SQL) => sql`starts_with(${text}, without_case(${typed}))`
  const rows = await rowsOf<{ value: string }>(
    db,
    sql`with recursive known as (
        (${first(sql`>= without_case(${typed})`)})
        union all
        select following.* from known, lateral (${first(sql`> known.key`)}) following where ${begins(sql`known.key`)}
      )
      select value from known where ${begins(sql`key`)} and length(value) <= ${NAME_MAX} limit ${SUGGESTED_MAX}`,
  )
  return rows.map(({ value }) => value)
}
