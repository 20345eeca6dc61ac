import { type SQL, sql } from 'drizzle-orm'
import type { Week, WeekGroup } from '#contract/week.ts'
import { type WeekPartName, weekPartNames, weekParts } from '#contract/week-parts.ts'
import { mondaysOf, weekOf } from '#contract/weeks.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, passingReasons, records, stages } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { cohortValue } from '#server/lists/cohorts/cohort.ts'
import { weekCohort, weekRows } from '#server/lists/cohorts/week.ts'
import type { Reading } from '#server/lists/query.ts'
import { addDays } from '#server/records/days.ts'
import type { RecordKind } from '#server/records/kind.ts'

type Line = {
  part: WeekPartName
  kind: RecordKind['name']
  key: string | null
  count: number
  id: string
  name: string
  number: number | null
}

/** Every part of every kind in one statement. Of each number its first records: the highest numbers, then what happened last. */
const lines = (
  db: Database,
  kinds: readonly RecordKind[],
  parts: readonly WeekPartName[],
  week: string,
  shown: number,
) => {
  const rows = parts.flatMap((part) =>
    kinds.map((kind): SQL => {
      const [partName, kindName] = [sql.raw(`'${part}'`), sql.raw(`'${kind.name}'`)]
      return sql`select ${partName} as part, ${kindName} as kind, line.* from (${weekRows[part](kind, week)}) line`
    }),
  )
  return rowsOf<Line>(
    db,
    sql`
      select ranked.part, ranked.kind, ranked.key, ranked.count, ranked.number, ${records.id} as id, ${records.name} as name
      from (
        select line.*, (count(*) over (partition by part, kind, key))::int as count, row_number() over (
          partition by part, kind, key order by number desc nulls last, at desc, record
        ) as place
        from (${sql.join(rows, sql` union all `)}) line
      ) ranked join ${records} on ${records.id} = ranked.record
      where ranked.place <= ${shown} order by ranked.count desc, ranked.key, ranked.place`,
  )
}

/** What the numbers are counted under, in the order in which people know it: stages in theirs, others by how many there are. */
const namesOf = (db: Database, ids: readonly string[]) =>
  rowsOf<{ id: string; name: string; place: number }>(
    db,
    sql`select ${stages.id}::text as id, ${stages.name} as name, ${stages.position} as place from ${stages}
      union all select ${passingReasons.id}::text, ${passingReasons.name}, 0 from ${passingReasons}
      union all select ${accounts.publicId}::text, ${shownName()}, 0 from ${accounts}
        where ${accounts.publicId} = any (${sql.param(ids)}::uuid[])`,
  )

/** `shown` is the number of records that each number names. */
type WeekOptions = { week: string; shown: number; now?: number; hasLate?: boolean }

/** The list of a week as it is read now. */
export async function getWeek(
  { db, secret }: Reading,
  kinds: readonly RecordKind[],
  caller: Pick<Account, 'id'>,
  { week, shown, now = Date.now(), hasLate = weekOf(now) === week }: WeekOptions,
): Promise<Week> {
  const isRunning = weekOf(now) === week
  const parts = weekPartNames.filter((part) => part !== 'late' || hasLate)
  const found = await lines(db, kinds, parts, week, shown)
  const names = new Map(
    (await namesOf(db, [...new Set(found.flatMap(({ key }) => key ?? []))])).map((one) => [one.id, one]),
  )
  const groups = new Map<string, WeekGroup & { place: number }>()
  for (const { part, kind, key, count, ...record } of found) {
    const id = `${weekPartNames.indexOf(part)} ${kind} ${key}`
    const { name = null, place = -1 } = names.get(key ?? '') ?? {}
    const cohort = () => cohortValue({ secret, caller }, weekCohort, part, week, key)
    const group = groups.get(id) ?? { part, kind, name, count, cohort: cohort(), records: [], place }
    group.records.push(record)
    groups.set(id, group)
  }
  const placeOf = (group: WeekGroup) => weekPartNames.indexOf(group.part)
  const stageOf = ({ part, place }: { part: WeekPartName; place: number }) =>
    weekParts[part].of === 'stage' ? place : 0
  const kindOf = (group: WeekGroup) => kinds.findIndex(({ name }) => name === group.kind)
  const [from, next] = mondaysOf(week)
  return {
    ...{ week, from, until: addDays(next, -1), isRunning, at: new Date(now).toISOString() },
    groups: [...groups.values()]
      .sort((a, b) => placeOf(a) - placeOf(b) || stageOf(a) - stageOf(b) || kindOf(a) - kindOf(b))
      .map(({ place: _, ...group }) => group),
  }
}
