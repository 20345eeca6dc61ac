import { type SQL, sql } from 'drizzle-orm'
import { rowsOf } from '#server/db/database.ts'
import { type CohortKind, cohortValue } from '#server/lists/cohorts/cohort.ts'
import type { LineRow, Wording } from '../kind.ts'

/**
 * The addresses of lines of acts on many records, by their subjects: the list of exactly those records, of the kind that most have.
 * `rows` has the `act` and the `kind` of each record.
 */
export async function addressesOfActs(
  lines: LineRow[],
  cohort: CohortKind<[string]>,
  rows: SQL,
  { db, kinds, secret, reader }: Wording,
): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map()
  const most = await rowsOf<{ act: string; kind: string }>(
    db,
    sql`select distinct on (act) act, kind from (
        select act, kind, count(*) as count from (${rows}) item
        where act = any (${sql.param(lines.map(({ subject }) => subject))}::uuid[]) group by 1, 2
      ) counted order by act, count desc, kind desc`,
  )
  return new Map(
    most.map(({ act, kind }) => {
      const path = kinds.find(({ name }) => name === kind)?.path ?? ''
      return [act, `/${path}?${new URLSearchParams({ cohort: cohortValue({ secret, ...reader }, cohort, act) })}`]
    }),
  )
}
