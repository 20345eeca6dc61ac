import { sql } from 'drizzle-orm'
import type { KindName } from '#contract/kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { endedSteps, records } from '#server/db/schema.ts'

/** A next step with a date, of the record with this id. */
export type DatedStep = {
  id: string
  kind: KindName
  name: string
  nextStep: string | null
  nextOn: string
  version: number
}

/** A next step that has ended. The name of a deleted record is null. */
export type EndedStep = Omit<DatedStep, 'name' | 'version'> & {
  name: string | null
  sequence: number
  isCancelled: true
}

/** How long calendar files cancel a step that has ended. */
const CANCELLED_DAYS = 90

/** The steps that have left the calendar of a fellow, and are not in it again. */
export const listEndedSteps = async (db: Database, { id }: Pick<Account, 'id'>): Promise<EndedStep[]> => {
  const rows = await rowsOf<Omit<EndedStep, 'nextStep' | 'isCancelled'>>(
    db,
    sql`select distinct on (${records.id}) ${records.id} as id, substring(${records.kind} from '[^-]+$') as kind,
        case when ${records.kind} not like 'deleted-%' then ${records.name} end as name,
        to_char(${endedSteps.nextOn}, 'YYYY-MM-DD') as "nextOn", ${endedSteps.sequence} as sequence
      from ${endedSteps} join ${records} on ${records.id} = ${endedSteps.recordId}
      where ${endedSteps.accountId} = ${id} and ${endedSteps.endedAt} > now() - make_interval(days => ${CANCELLED_DAYS})
        and not coalesce(${records.responsibleId} = ${id} and ${records.nextOn} is not null and ${records.kind} not like '%-%', false)
      order by ${records.id}, ${endedSteps.sequence} desc`,
  )
  return rows.map((row) => ({ ...row, nextStep: null, isCancelled: true }))
}

/** Steps with the sequence of their events: see `end_next_step`. */
export async function withSequence<Step extends Pick<DatedStep, 'id' | 'version'>>(db: Database, steps: Step[]) {
  const ids = sql.param(steps.map(({ id }) => id))
  const rows = await rowsOf<{ id: string; count: number }>(
    db,
    sql`select ${endedSteps.recordId} as id, count(*)::int as count from ${endedSteps}
      where ${endedSteps.recordId} = any (${ids}::uuid[]) group by 1`,
  )
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return steps.map(({ version, ...step }) => ({ ...step, sequence: version + 2 * (counts.get(step.id) ?? 0) }))
}
