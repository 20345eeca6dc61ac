import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type WeekPartName, weekPartNames } from '#contract/week-parts.ts'
import { isWeek, mondaysOf, spanOfWeek } from '#contract/weeks.ts'
import { accounts, opinionReveals, opinions, passings, records, stageChanges } from '#server/db/schema.ts'
import { recordOf } from '#server/db/sql.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { timeOf } from './cohort.ts'
import { ofProgramme, ownerId } from './figures.ts'

type Kind = Pick<RecordKind, 'name'>

const isWithin = (column: SQL | AnyColumn, week: string): SQL => {
  const [from, until] = spanOfWeek(week)
  return sql`${column} >= ${timeOf(from)} and ${column} < ${timeOf(until)}`
}

const added = (key: SQL) => (kind: Kind, week: string) =>
  sql`
  select ${records.id} as record, ${key} as key, null::int as number, ${records.createdAt} as at from ${records}
  where ${isOfKind(records.kind, kind)} and ${isWithin(records.createdAt, week)}`

const fellowOf = (id: SQL | typeof records.responsibleId) =>
  sql`(select ${accounts.publicId} from ${accounts} where ${accounts.id} = ${id})::text`

/**
 * What each part of the list of a week counts: a record, what it is counted under, its number, and when it happened. The same rows
 * are the number and, through the cohort, the list behind it.
 */
export const weekRows: Record<WeekPartName, (kind: Kind, week: string) => SQL> = {
  new: added(sql`${records.stageId}::text`),

  moved: (kind, week) => sql`
    select stay.record_id as record, stay.stage_id::text as key, null::int as number, min(stay.entered_at) as at
    from ${stageChanges} stay
    where ${isOfKind(sql`stay.kind`, kind)} and ${isWithin(sql`stay.entered_at`, week)} and not exists (
      select from ${stageChanges} earlier
      where earlier.record_id = stay.record_id and earlier.stage_id = stay.stage_id
        and earlier.entered_at < ${timeOf(spanOfWeek(week)[0])}
    )
    group by stay.record_id, stay.stage_id`,

  // Decided is the end of the last stay, as in the figures.
  advanced: (kind, week) => sql`
    select ${records.id} as record, null::text as key, null::int as number, max(stay.left_at) as at
    from ${stageChanges} stay ${recordOf(sql`stay.record_id`)}
    where ${isOfKind(sql`stay.kind`, kind)} and ${isWithin(sql`stay.left_at`, week)} and ${records.status} = 'advanced'
      and not exists (
        select from ${stageChanges} later
        where later.record_id = stay.record_id and (later.left_at is null or later.left_at >= ${timeOf(spanOfWeek(week)[1])})
      )
    group by ${records.id}`,

  // Also of a record that never had a stage.
  passed: (kind, week) => sql`
    select ${records.id} as record, max(${records.passingReasonId}::text) as key, null::int as number, max(${passings.passedAt}) as at
    from ${passings} ${recordOf(sql`merged_root(${passings.recordId})`)}
    where ${isWithin(passings.passedAt, week)} and ${isOfKind(records.kind, kind)} and ${records.status} = 'passed'
    group by ${records.id}`,

  // Only a passed record has a day to look again.
  back: (kind, week) => {
    const [from, until] = mondaysOf(week)
    return sql`
      select ${records.id} as record, null::text as key, null::int as number, ${records.lookAgainOn}::timestamptz as at
      from ${records}
      where ${isOfKind(records.kind, kind)} and ${records.lookAgainOn} >= ${from}::date
        and ${records.lookAgainOn} < ${until}::date`
  },

  // A record that unites several is revealed when each of them is. The newest opinion of a fellow counts.
  spread: (kind, week) => sql`
    select ${records.id} as record, null::text as key, opinion.spread as number, tree.at
    from (select distinct merged_root(${opinionReveals.recordId}) as id from ${opinionReveals}
      where ${isWithin(opinionReveals.revealedAt, week)}) revealed
    join ${records} on ${records.id} = revealed.id
    cross join lateral (
      select max(reveal.revealed_at) as at, count(*) = count(reveal.record_id) as is_whole
      from merged_tree(revealed.id) member left join ${opinionReveals} reveal on reveal.record_id = member.id
    ) tree
    cross join lateral (
      select count(*) as count, (max(rating) - min(rating))::int as spread from (
        select distinct on (${opinions.accountId}) ${opinions.rating} as rating from ${opinions}
        where ${opinions.recordId} = revealed.id
        order by ${opinions.accountId}, ${opinions.givenAt} desc, ${opinions.id} desc
      ) newest
    ) opinion
    where ${isOfKind(records.kind, kind)} and tree.is_whole and ${isWithin(sql`tree.at`, week)} and opinion.count > 1`,

  found: added(fellowOf(ownerId)),

  // Those of the running week alone. A later one has none yet, and of an earlier one no one knows any more what was late.
  late: (kind) => sql`
    select ${records.id} as record, ${fellowOf(records.responsibleId)} as key,
      ((now() at time zone 'UTC')::date - ${records.nextOn})::int as number, ${records.nextOn}::timestamptz as at
    from ${records}
    where ${isOfKind(records.kind, kind)} and ${records.nextOn} < (now() at time zone 'UTC')::date`,
}

const key = z.union([z.guid().lowercase(), z.null()])

/** The records of one number of the list of a week. */
export const weekCohort = ofProgramme<[part: WeekPartName, week: string, key: string | null]>({
  name: 'week',
  params: z.tuple([z.enum(weekPartNames), z.string().refine(isWeek), key]),
  filter: ({ kind }, part, week, key) => ({
    condition: sql`${records.id} in (
      select line.record from (${weekRows[part](kind, week)}) line where line.key is not distinct from ${key}
    )`,
  }),
})
