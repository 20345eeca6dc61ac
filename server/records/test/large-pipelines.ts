import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

/**
 * Gives two thirds of the records of a large world a pipeline: most of them in a stage, some after an earlier one, some passed,
 * on hold or advanced, each second one with a responsible fellow and each third with a next step.
 */
export const moveAll = (of: Database): Promise<void> => of.transaction(moveIn)

async function moveIn(db: Database): Promise<void> {
  await db.execute(sql`set local statement_timeout = 0`)
  const chance = (salt: string, of: number) => sql`mod(abs(hashtext(records.id::text || ${salt}::text)), ${of}::int)`
  const stageOf = (salt: string) => sql`(select id from stages where position = 1 + ${chance(salt, 3)})`
  await db.execute(sql`update stages set limit_days = 10 * position`)
  await db.execute(sql`
    update records set stage_id = ${stageOf('first')}, pipeline_version = 1 where kind not like '%-%' and ${chance('any', 6)} in (1, 2)`)
  await db.execute(sql`
    update records set
      stage_id = case when ${chance('stage', 10)} > 0 then ${stageOf('second')} end,
      status = (array['active', 'active', 'active', 'on_hold', 'passed', 'advanced'])[1 + ${chance('status', 6)}],
      responsible_id = (array(select id from accounts order by email))[
        nullif(${chance('responsible', 2)} * (1 + ${chance('fellow', 1_000)} % (select count(*)::int from accounts)), 0)
      ],
      next_on = case when ${chance('next', 3)} = 0 then (now() at time zone 'UTC')::date - 20 + ${chance('day', 60)} end,
      pipeline_version = pipeline_version + 1
    where kind not like '%-%' and ${chance('any', 6)} < 4`)
  await db.execute(sql`
    update stage_changes set entered_at = entered_at - past.days * interval '1 day', left_at = left_at - past.days * interval '1 day'
    from (select id, ${chance('past', 40)} as days from records) past where past.id = record_id`)
  await db.execute(sql`
    update records set stage_since = stage_since - ${chance('past', 40)} * interval '1 day' where stage_since is not null`)
  await db.execute(sql`analyze records, stage_changes, pipeline_counts, stages`)
}
