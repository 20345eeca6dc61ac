import { asc, inArray, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import { companyKind } from '#server/companies/kind.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, passingReasons, stages } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { getRecord } from '#server/lists/store.ts'
import { putOpinion } from '#server/opinions/store.ts'
import { changePipeline } from '#server/pipeline/change.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { putTags } from '#server/tags/record-tags.ts'
import { createTag } from '#server/tags/store.ts'
import { MOVES, OPINIONS, TAGS } from './small-world-pipeline.ts'

const DAY = 86_400_000
const KINDS = { founder: founderKind, company: companyKind }

type Act = { about: string; fellow: number; share: number }
export type ActWorld = {
  fellow: (place: number) => Account
  /** Sets the time of an act on a record. */
  begin: (act: Act) => Promise<{ kind: RecordKind; id: string; at: Date; by: Account }>
}

/** Moves the records of the small world through their stages, and gives them tags and opinions. */
export async function loadPipelines(tx: Database, { fellow, begin }: ActWorld): Promise<void> {
  const known = {
    stages: await tx.select({ id: stages.id }).from(stages).orderBy(asc(stages.position)),
    reasons: await tx.select({ id: passingReasons.id }).from(passingReasons).orderBy(asc(passingReasons.position)),
  }
  const publicIds = await publicIdsOf(
    tx,
    [...new Set(MOVES.flatMap(({ responsible }) => responsible ?? []))].map(fellow),
  )
  for (const { stage, status, reason, responsible, nextStep, nextIn, lookAgainIn, ...act } of MOVES) {
    const { kind, id, at, by } = await begin(act)
    const { pipelineVersion: version } = await getRecord(tx, kind, by, id)
    await changePipeline(
      tx,
      KINDS,
      by,
      { kind, id },
      {
        ...(stage !== undefined && { stage: known.stages[stage]?.id }),
        ...(status && { status }),
        ...(reason && { reason: { id: known.reasons[reason.place]?.id ?? '', text: reason.text } }),
        ...(responsible !== undefined && { responsible: publicIds.get(fellow(responsible).id) }),
        ...(nextStep && { nextStep }),
        ...(nextIn !== undefined && { nextOn: dayIn(nextIn) }),
        ...(lookAgainIn !== undefined && { lookAgainOn: dayIn(lookAgainIn) }),
        version,
      },
    )
    await dateStays(tx, id, at)
  }
  for (const { name, fellow: place, on } of TAGS) {
    const { id: tagId } = await createTag(tx, fellow(place), name, undefined)
    for (const about of on) {
      const { kind, id, by } = await begin({ about, fellow: place, share: 0.5 })
      const { tags } = await getRecord(tx, kind, by, id)
      await putTags(tx, kind, id, [...(tags ?? []).map((tag) => tag.id), tagId], by)
    }
  }
  for (const { rating, comment = '', ...act } of OPINIONS) {
    const { kind, id, by } = await begin(act)
    await putOpinion(tx, { kind, id }, by, { rating, comment })
  }
}

const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

export async function publicIdsOf(tx: Database, of: Account[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: accounts.id, publicId: accounts.publicId })
    .from(accounts)
    .where(
      inArray(
        accounts.id,
        of.map(({ id }) => id),
      ),
    )
  return new Map(rows.map(({ id, publicId }) => [id, publicId]))
}

/** Triggers take the time of a move from the clock of the database. All stays before this one have their times already. */
async function dateStays(tx: Database, id: string, at: Date): Promise<void> {
  const time = at.toISOString()
  await tx.execute(sql`
    update stage_changes set
      entered_at = case when entered_at > now() - interval '1 hour' then ${time}::timestamptz else entered_at end,
      left_at = case when left_at > now() - interval '1 hour' then ${time}::timestamptz else left_at end
    where record_id = ${id}`)
  await tx.execute(sql`
    update records set
      stage_since = case when stage_since is not null
        then ${time}::timestamptz - stage_time_spent(id, stage_id) * interval '1 millisecond' end,
      stage_spent = case when stage_spent is not null then stage_time_spent(id, stage_id) end
    where id = ${id}`)
}
