import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Stay } from '#contract/board.ts'
import type { Pipeline, Stage } from '#contract/stage.ts'
import { statuses } from '#contract/status.ts'
import { records, stageChanges, stages } from '#server/db/schema.ts'
import type { TestApp, TestClient } from '#server/test/test-app.ts'
import type { Random } from '../../../scripts/seed/random.ts'

// Records in every state of the pipeline, and what the filters by it should show of them. The rules know stays as they are on
// the wire, and no time that the product has added up.

/** What is seen of the pipeline of a record. */
export type Moved = {
  pipeline: Pick<Pipeline, 'stage' | 'status' | 'responsible' | 'nextOn'>
  /** Its own stays in stages, newest first. */
  stays: Stay[]
}
type Fellow = { client: TestClient; publicId: string }
type World = { fellows: Pick<Fellow, 'publicId'>[]; stages: Stage[] }
type Rule = {
  values: (world: World) => string[]
  shows: (record: Moved, value: string, context: { world: World; timeZone?: string | undefined }) => boolean
}

const DAY = 86_400_000
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000001'
/** The day that is so many days from today, in UTC. */
const dayFrom = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** The day of a moment in a time zone. Swedes write it as ISO 8601 does. */
export const dayAt = (moment: string | number, timeZone = 'UTC') =>
  new Date(moment).toLocaleDateString('sv', { timeZone })

const spentIn = (stays: Stay[], stageId: string) =>
  stays
    .filter(({ stage, leftAt }) => stage.id === stageId && leftAt !== null)
    .reduce((sum, { enteredAt, leftAt }) => sum + Date.parse(leftAt as string) - Date.parse(enteredAt), 0)

/** Since when a record has been in its stage, as if without a break; undefined while its time does not run. */
export function runningSince(stays: Stay[]): string | undefined {
  const open = stays.find(({ leftAt }) => leftAt === null)
  return open && new Date(Date.parse(open.enteredAt) - spentIn(stays, open.stage.id)).toISOString()
}

const isLonger = ({ pipeline, stays }: Moved, limitDays: number | null | undefined) => {
  const since = runningSince(stays)
  return (
    since !== undefined &&
    pipeline.stage !== null &&
    limitDays != null &&
    Date.now() - Date.parse(since) > limitDays * DAY
  )
}

export const PIPELINE_RULES: Record<string, Rule> = {
  stage: {
    values: ({ stages }) => ['none', ...stages.map(({ id }) => id), stages[0]?.id.toUpperCase() ?? '', UNKNOWN_ID],
    shows: ({ pipeline: { stage } }, value) => (stage?.id ?? 'none') === value.toLowerCase(),
  },
  status: { values: () => [...statuses], shows: ({ pipeline: { status } }, value) => status === value },
  responsible: {
    values: ({ fellows }) => ['none', ...fellows.map(({ publicId }) => publicId), UNKNOWN_ID],
    shows: ({ pipeline: { responsible } }, value) => (responsible?.id ?? 'none') === value.toLowerCase(),
  },
  next: {
    values: () => ['due', 'late'],
    shows({ pipeline: { nextOn } }, value, { timeZone }) {
      const today = dayAt(Date.now(), timeZone)
      return nextOn !== null && (value === 'due' ? nextOn === today : nextOn < today)
    },
  },
  reached: {
    values: ({ stages }) => [...stages.map(({ id }) => id), UNKNOWN_ID],
    // A record that was in a later stage has reached the earlier ones too.
    shows({ pipeline, stays }, value, { world }) {
      const order = world.stages.map(({ id }) => id)
      const isFrom = (id: string) => order.includes(value) && order.indexOf(id) >= order.indexOf(value)
      return [pipeline.stage, ...stays.map(({ stage }) => stage)].some((stage) => stage !== null && isFrom(stage.id))
    },
  },
  quality: {
    values: () => ['overdue'],
    shows: (record, _value, { world }) =>
      isLonger(record, world.stages.find(({ id }) => id === record.pipeline.stage?.id)?.limitDays),
  },
}

/** Moves most of the records through stages and statuses, over a time of which many days have passed. */
export async function makePipelines(test: TestApp, fellows: Fellow[], ids: string[], random: Random): Promise<Stage[]> {
  await test.db.update(stages).set({ limitDays: sql`case ${stages.position} when 1 then 5 when 2 then 20 end` })
  const client = () => random.one(fellows).client
  const all: Stage[] = (await client().get('/api/stages')).body
  const [reason] = (await client().get('/api/passing-reasons')).body
  for (const id of ids.filter(() => random.chance(0.75))) {
    for (let move = random.below(4); move >= 0; move -= 1) {
      const { version, status: before } = (await client().get(`/api/records/${id}/pipeline`)).body
      const status = random.one(statuses)
      const { status: answer } = await client().put(`/api/records/${id}/pipeline`, {
        ...{ version, status, stage: random.one([null, ...all.map((stage) => stage.id)]) },
        ...(status === 'passed' && before !== 'passed' && { reason: { id: reason.id } }),
        responsible: random.one([null, ...fellows.map(({ publicId }) => publicId)]),
        nextOn: random.one([null, dayFrom(-3), dayFrom(-1), dayFrom(0), dayFrom(1), dayFrom(30)]),
      })
      expect(answer).toBe(200)
      await passTime(test, id, random.between(0, 12) * DAY + random.below(DAY))
    }
  }
  return all
}

/** As if the record had been as it is for this long. */
export async function passTime(test: Pick<TestApp, 'db'>, id: string, ms: number): Promise<void> {
  const time = sql`${ms} * interval '1 millisecond'`
  await test.db
    .update(stageChanges)
    .set({ enteredAt: sql`${stageChanges.enteredAt} - ${time}`, leftAt: sql`${stageChanges.leftAt} - ${time}` })
    .where(sql`${stageChanges.recordId} = ${id}`)
  await test.db
    .update(records)
    .set({ stageSince: sql`${records.stageSince} - ${time}` })
    .where(sql`${records.id} = ${id}`)
}
