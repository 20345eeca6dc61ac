import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

/**
 * Gives two thirds of the records of a large world a pipeline: most of them in a stage, some after another one, some passed, on
 * hold or advanced, each second one with a responsible fellow and each third with a next step. Part of its loading, because
 * triggers and indexes would make it take long.
 */
export async function moveAll(tx: Database): Promise<void> {
  const chance = (salt: string, of: number) => sql`mod(abs(hashtext(id::text || ${salt}::text)), ${of}::int)`
  await tx.execute(sql`update stages set limit_days = 10 * position`)
  await tx.execute(sql`
      with known as (
        select array(select id from stages order by position) as stages, array(select id from accounts order by email) as fellows
      ), moved as (
        select id, case when ${chance('stage', 10)} > 0 then stages[1 + ${chance('first', 3)}] end as stage,
          (array['active', 'active', 'active', 'on_hold', 'passed', 'advanced'])[1 + ${chance('status', 6)}] as status,
          case when ${chance('responsible', 2)} = 0 then fellows[1 + ${chance('fellow', 1_000)} % cardinality(fellows)] end as fellow,
          case when ${chance('next', 3)} = 0 then (now() at time zone 'UTC')::date - 20 + ${chance('day', 60)} end as day,
          ${chance('past', 40)} as days
        from records, known where kind not like '%-%' and ${chance('any', 6)} < 4
      )
      update records set stage_id = stage, status = moved.status, responsible_id = fellow, next_on = day, pipeline_version = 1,
        stage_since = case when stage is not null and moved.status in ('active', 'on_hold') then now() - days * interval '1 day' end,
        stage_spent = case when stage is not null and moved.status in ('passed', 'advanced') then days * 86400000::bigint end
      from moved where moved.id = records.id`)
  await tx.execute(sql`
      insert into stage_changes (record_id, kind, stage_id, entered_at, left_at)
      select id, kind, stage_id, coalesce(stage_since, now() - stage_spent * interval '1 millisecond'),
        case when stage_since is null then now() end
      from records where stage_id is not null`)
  await tx.execute(sql`
      insert into stage_changes (record_id, kind, stage_id, entered_at, left_at)
      select records.id, kind, earlier.id, now() - interval '90 days', now() - interval '80 days'
      from records join stages own on own.id = stage_id join stages earlier on earlier.position = own.position % 3 + 1
      where mod(abs(hashtext(records.id::text)), 3) = 0`)
  await tx.execute(sql`update records set reached = stages_reached(id, stage_id) where stage_id is not null`)
  await tx.execute(sql`select recount_pipeline()`)
}
