import { and, type SQL, sql } from 'drizzle-orm'
import { LOOKED_AT_MAX } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { importRows, imports, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { type CohortKind, isIn, type Span, spanParams, timeOf } from './cohort.ts'

// What others have added or changed by hand or by an import in a span of time. A record that the reader has acted on last is
// no news, nor is one that the reader has added.

type Kind = Pick<RecordKind, 'name'>

/** A record that was added or acted on. */
export type LookedAt = { id: string; createdAt: number; lastActivityAt: number }

/** The records that were added or acted on last in a span: all of them, or more than can be looked at. */
export async function lookedAt(db: Database, kind: Kind, span: Span): Promise<LookedAt[]> {
  const last = (column: typeof records.createdAt | typeof records.lastActivityAt) => sql`(
    select ${records.id}, ${records.createdAt}, ${records.lastActivityAt} from ${records}
    where ${isOfKind(records.kind, kind)} and ${isIn(column, span)}
    order by ${column} desc limit ${LOOKED_AT_MAX + 1}
  )`
  return rowsOf<LookedAt>(
    db,
    sql`select id, extract(epoch from created_at) * 1000 as "createdAt",
        extract(epoch from last_activity_at) * 1000 as "lastActivityAt"
      from (${last(records.createdAt)} union ${last(records.lastActivityAt)}) looked_at`,
  ).then((rows) =>
    rows.map(({ id, createdAt, lastActivityAt }) => ({
      ...{ id, createdAt: Number(createdAt), lastActivityAt: Number(lastActivityAt) },
    })),
  )
}

const timesIn = ({ createdAt, lastActivityAt }: LookedAt, [from, until]: Span): number[] =>
  [createdAt, lastActivityAt].filter((time) => time > from && time <= until)

/** Those of a shorter span. */
export const within = (rows: readonly LookedAt[], span: Span): LookedAt[] =>
  rows.filter((row) => timesIn(row, span).length > 0)

export const idsOf = (rows: readonly LookedAt[]): string[] => rows.map(({ id }) => id)

/** The time of the last of what happened to records in a span. */
export const lastOf = (rows: readonly LookedAt[], span: Span): number =>
  Math.max(...rows.flatMap((row) => timesIn(row, span)))

const isImportedBy = (account: string) => sql`exists (
  select from ${importRows} join ${imports} on ${imports.id} = ${importRows.importId}
  where ${importRows.recordId} = ${records.id} and ${importRows.outcome} = 'created' and ${imports.accountId} = ${account}
)`

/** Whether another than an account has added the record of the enclosing query. */
export const isOfOther = (account: string): SQL => sql`(
  case when ${records.isImported} then not ${isImportedBy(account)} else ${records.creatorId} is distinct from ${account} end
)`

/** Whether another has added it in the span. */
export const isNew = (account: string, span: Span, ofOther = isOfOther(account)): SQL =>
  sql`(${isIn(records.createdAt, span)} and ${ofOther})`

export const isAmong = (ids: readonly string[]): SQL => sql`${records.id} = any (${sql.param(ids)}::uuid[])`

/** Whether it is news for an account. */
export const isNews = (account: string, span: Span, ofOther?: SQL): SQL => sql`(
  (${isNew(account, span, ofOther)} or ${isIn(records.lastActivityAt, span)})
  and not (${records.lastActivityAt} > ${timeOf(span[0])} and ${records.lastActivityBy} is not distinct from ${account})
)`

/** Of a search: its query is beside the cohort. */
export const newsSince: CohortKind<Span> = {
  ...{ name: 'news', params: spanParams },
  filter: async ({ db, kind, caller }, ...span) => {
    const looked = within(await lookedAt(db, kind, span), span)
    return { condition: and(isAmong(idsOf(looked)), isNews(caller.id, span)) as SQL }
  },
}
