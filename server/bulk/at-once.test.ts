import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge, type Row, undo as undoMerge } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { bulkWorld, type Fellow } from './test/bulk-world.ts'

const RECORDS = 30
const ROUNDS = 4

let test: TestApp
let fellows: Fellow[]
const world = bulkWorld(() => test)
beforeAll(async () => {
  test = await startTestApp({}, undefined, undefined, { connections: 10 })
  // Each has few requests at a time.
  fellows = await Promise.all(Array.from({ length: 10 }, () => world.fellow({ role: 'manager' })))
})
afterAll(() => test.close())

const of = (at: number) => fellows[at % fellows.length] as Fellow
const inAnyOrder = (records: Row[], at: number) =>
  records.toSorted((one, other) => `${one.id}${at}`.slice(-7 - at).localeCompare(`${other.id}${at}`.slice(-7 - at)))

/** Everything that a change of tags and pipelines keeps in two places. */
const CONSISTENT = {
  'rows of a tag that are shown more than once': sql`
    select record_id from record_tags where is_shown group by record_id, tag_id having count(*) > 1`,
  'rows of a tag of which none is shown': sql`
    select record_id from record_tags group by record_id, tag_id having not bool_or(is_shown)`,
  'rows with another time than their record': sql`
    select record_tags.id from record_tags join records on records.id = record_id where record_tags.created_at <> records.created_at`,
  'open stays of another stage': sql`
    select record_id from stage_changes join records on records.id = record_id
    where left_at is null and stage_changes.stage_id is distinct from records.stage_id`,
  'counts of the board': sql`
    select counted.* from (
      select kind, stage_id, status, count(*) from records where pipeline_version > 0 and kind not like '%-%' group by 1, 2, 3
    ) counted full join (select * from pipeline_counts where count <> 0) kept
      on (kept.kind, kept.status) = (counted.kind, counted.status) and kept.stage_id is not distinct from counted.stage_id
    where kept.count is distinct from counted.count`,
  'acts without entries in the histories of their records': sql`
    select record_id from bulk_rows where error is null and record_tag_id is not null and not exists (
      select from audit_log where object_id = record_id and action = 'add-tag' and detail ->> 'bulkId' = bulk_id::text
    )`,
}

describe('Ten acts on the same records at one time, with merges, undos, moves, deletions and changes of tags', () => {
  it('never wait for each other in a circle, and none is half done', { tags: 'slow', timeout: 240_000 }, async () => {
    const stages = Object.values(await world.stages(of(0)))
    const records: Row[] = []
    for (let at = 0; at < RECORDS; at += 1) records.push(await (at % 3 === 0 ? world.company : world.founder)(of(at)))
    const tags = await Promise.all([0, 1, 2, 3].map((at) => world.tag(of(at))))
    const founders = records.filter(({ kind }) => kind === 'founder')
    const acts: string[] = []
    const merges: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const last = await world.tag(of(0))
      await world.bulk(of(0), records, { addTag: last.id })
      const loaded = await Promise.all(founders.slice(0, 8).map((one) => world.load(of(0), one)))
      const bulks = Array.from({ length: 10 }, async (_, at) => {
        const set = { addTag: tags[at % 4]?.id, stage: stages[at % 3], responsible: of(at + round).publicId }
        const answer = await world.bulk(of(at), inAnyOrder(records, at), set)
        if (answer.status === 200) acts.push(answer.body.bulkId)
        return answer
      })
      const undos = acts.splice(0, 3).map((id, at) => world.undo(of(at), id))
      const merging = [0, 2, 4, 6].map(async (at) => {
        const [one, other] = round % 2 === at % 4 ? [loaded[at], loaded[at + 1]] : [loaded[at + 1], loaded[at]]
        if (!one?.id || !other?.id || one.id === other.id) return { status: 409 }
        const answer = await merge(of(at).client, one, other)
        if (answer.status === 200) merges.push(answer.body.mergeId)
        return answer
      })
      const unmerging = merges.splice(0, 2).map((id, at) => undoMerge(of(at).client, id))
      const moves = founders.slice(0, 10).map(async (one, at) => {
        const { client } = of(at)
        const { version = 0 } = (await client.get(`/api/records/${one.id}/pipeline`)).body ?? {}
        return client.put(`/api/records/${one.id}/pipeline`, { stage: stages[(at + round) % 3], version })
      })
      const others = [
        of(1).client.delete(`/api/tags/${last.id}`),
        of(2).client.patch(`/api/tags/${tags[round]?.id}`, { name: `Renamed ${round}` }),
        of(3).client.delete(`/api/founders/${founders[12 + round]?.id}`),
        ...founders
          .slice(0, 6)
          .map((one, at) => of(at).client.put(`/api/records/${one.id}/tags`, { tags: [tags[(at + round) % 4]?.id] })),
      ]
      const answers = await Promise.all([...bulks, ...undos, ...merging, ...unmerging, ...moves, ...others])
      // A request may find the record changed, merged or deleted. None fails.
      expect(answers.map(({ status }) => status).filter((status) => status >= 500 || status === 400)).toEqual([])
      for (const { status, body } of await Promise.all(bulks)) {
        expect(status).toBe(200)
        expect(body.changed + body.skipped.length).toBeLessThanOrEqual(RECORDS)
      }
      for (const [what, query] of Object.entries(CONSISTENT)) {
        expect([what, await rowsOf(test.db, query)]).toEqual([what, []])
      }
    }
  })
})
