import { sql } from 'drizzle-orm'
import { validate } from 'uuid'
import type { AuditRow } from '#server/audit-log/search.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accessTokens, accounts, records, stages } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'

/** What an entry names, by its id: a record, or a stage, a person or an access token, which have no kind. */
export type Names = Map<string, { name: string; kind: string | null }>

/** The names of the records and the people of these entries, also of records that were merged or deleted. */
export async function namesOf(db: Database, rows: AuditRow[]): Promise<Names> {
  const ids = new Set(
    rows.flatMap(({ accountId, objectId, tokenId, after, detail }) => [
      ...[accountId, objectId, tokenId, after?.stageId, after?.responsibleId],
      ...Object.values(detail ?? {}),
    ]),
  )
  const given = sql`any (${sql.param([...ids].filter((id) => validate(id)))}::uuid[])`
  const person = sql`${shownName()} as name, null as kind from ${accounts}`
  const found = await rowsOf<{ id: string; name: string; kind: string | null }>(
    db,
    sql`select id, name, kind from ${records} where id = ${given}
      union all select id, ${person} where id = ${given}
      union all select public_id, ${person} where public_id = ${given}
      union all select id, name, null from ${stages} where id = ${given}
      union all select id, name, null from ${accessTokens} where id = ${given}`,
  )
  return new Map(found.map(({ id, ...named }) => [id, named]))
}
