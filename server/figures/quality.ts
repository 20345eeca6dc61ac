import { isNull, type SQL, sql } from 'drizzle-orm'
import type { Quality } from '#contract/figures.ts'
import { qualityKinds } from '#contract/quality-kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { qualityConditions } from '#server/lists/quality.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'

/** By the conditions of the lists themselves, so that both agree. */
export async function countQuality(db: Database, kinds: readonly RecordKind[]): Promise<Quality> {
  const count = (kind: RecordKind, condition: SQL) =>
    sql`(select count(*)::int from ${records} where ${isOfKind(records.kind, kind)} and ${condition})`
  const counted = await Promise.all(
    kinds.map(async (kind) => {
      const conditions = await Promise.all(qualityKinds.map((name) => qualityConditions[name](kind, db)))
      const counts = {
        ...Object.fromEntries(qualityKinds.map((name, at) => [name, count(kind, conditions[at] as SQL)])),
        unassigned: count(kind, isNull(records.responsibleId)),
      }
      const columns = Object.entries(counts).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`)
      const [row] = await rowsOf<Record<keyof Quality, number>>(db, sql`select ${sql.join(columns, sql`, `)}`)
      return [kind.name, row] as const
    }),
  )
  const of = (name: keyof Quality) =>
    Object.fromEntries(counted.map(([kind, row]) => [kind, row?.[name] ?? 0])) as Quality[keyof Quality]
  return {
    ...{ unmatched: of('unmatched'), unnoted: of('unnoted'), duplicate: of('duplicate'), overdue: of('overdue') },
    unassigned: of('unassigned'),
  }
}
