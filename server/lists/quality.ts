import { isNull, type SQL, sql } from 'drizzle-orm'
import { UNNOTED_DAYS } from '#contract/limits.ts'
import type { QualityKind } from '#contract/quality-kinds.ts'
import type { Database } from '#server/db/database.ts'
import { duplicatePairs, records } from '#server/db/schema.ts'
import { isOverdue } from '#server/pipeline/filters.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'

/** As in its index. People and imports give values too. */
const isUnmatched = sql`not jsonb_path_exists(${records.enrichment}, '$.sources.*.provider ? (@ <> "person" && @ <> "import")')`

const isUnnoted = sql`${records.lastNoteAt} = timestamptz 'epoch'
  and ${records.createdAt} < now() - interval '${sql.raw(String(UNNOTED_DAYS))} days'`

/** Of the pairs of the review. A pair stays while one of its records is merged or deleted. */
const isInPair = (kind: Pick<RecordKind, 'name'>): SQL => sql`${records.id} in (
  select unnest(array[${duplicatePairs.a}, ${duplicatePairs.b}]) from ${duplicatePairs}
  join ${records} one on one.id = ${duplicatePairs.a} and ${isOfKind(sql`one.kind`, kind)}
  join ${records} other on other.id = ${duplicatePairs.b} and ${isOfKind(sql`other.kind`, kind)}
  where ${isOfKind(duplicatePairs.kind, kind)} and ${isNull(duplicatePairs.dismissed)}
)`

/** What a record lacks. */
export const qualityConditions: Record<
  QualityKind,
  (kind: Pick<RecordKind, 'name'>, db: Database) => SQL | Promise<SQL>
> = {
  unmatched: () => isUnmatched,
  unnoted: () => isUnnoted,
  duplicate: isInPair,
  overdue: (_kind, db) => isOverdue(db),
}
