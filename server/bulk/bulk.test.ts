import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BULK_MAX } from '#contract/bulk.ts'
import { RECORD_TAGS_MAX } from '#contract/tags.ts'
import { rowsOf } from '#server/db/database.ts'
import { merge, type Row } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { bulkWorld, type Fellow } from './test/bulk-world.ts'

let test: TestApp
let [ann, bob, manager] = [] as unknown as [Fellow, Fellow, Fellow]
let stage: Record<string, string>
const world = bulkWorld(() => test)
const { bulk, founder, company, tag, load } = world
beforeAll(async () => {
  test = await startTestApp()
  ann = await world.fellow({ name: 'Ann' })
  bob = await world.fellow({ name: 'Bob' })
  manager = await world.fellow({ role: 'manager', name: 'Maya' })
  stage = await world.stages(ann)
})
afterAll(() => test.close())

const NOWHERE = { id: '01900000-0000-7000-8000-000000000000' }
const history = async ({ id, kind }: Row): Promise<Row[]> =>
  (await ann.client.get(`/api/${kind === 'company' ? 'companies' : 'founders'}/${id}/history`)).body
const actsIn = async () => (await rowsOf(test.db, sql`select id from bulk_acts`)).length

describe('An act on many records', () => {
  it('gives records of both kinds, also of others, a tag, a stage and a responsible fellow', async () => {
    const [one, other, added] = [await founder(ann), await company(bob), await tag(ann)]
    const set = { addTag: added.id, stage: stage.Met, responsible: ann.publicId }
    const { status, body } = await bulk(bob, [one, other], set)
    expect([status, body]).toEqual([200, { bulkId: expect.any(String), changed: 2, skipped: [] }])
    for (const record of [one, other]) {
      expect(await load(bob, record)).toMatchObject({
        ...{ tags: [added], version: 1 },
        pipeline: { stage: { name: 'Met' }, responsible: { name: 'Ann' }, status: 'active', version: 1 },
      })
    }
    const stays = await rowsOf(
      test.db,
      sql`select stage_id as stage, left_at as left from stage_changes where record_id = ${one.id}`,
    )
    expect(stays).toEqual([{ stage: stage.Met, left: null }])
    await bulk(bob, [one], { stage: null, responsible: null })
    expect((await load(bob, one)).pipeline).toMatchObject({ stage: null, responsible: null, version: 2 })
    expect(
      await rowsOf(test.db, sql`select from stage_changes where record_id = ${one.id} and left_at is null`),
    ).toEqual([])
  })

  it('leaves alone what it does not set, and records that have all of it already', async () => {
    const [same, other, added] = [await founder(ann), await founder(ann), await tag(ann)]
    await bulk(ann, [same], { addTag: added.id, stage: stage.Met })
    await ann.client.put(`/api/records/${other.id}/pipeline`, {
      nextStep: 'Call',
      responsible: bob.publicId,
      version: 0,
    })
    const { body } = await bulk(ann, [same, other], { addTag: added.id, stage: stage.Met })
    expect(body).toMatchObject({ changed: 1, skipped: [] })
    expect((await load(ann, same)).pipeline.version).toBe(1)
    const { body: pipeline } = await ann.client.get(`/api/records/${other.id}/pipeline`)
    expect(pipeline).toMatchObject({ nextStep: 'Call', responsible: { name: 'Bob' }, version: 2 })
    expect((await bulk(ann, [same, other], { addTag: added.id })).body).toMatchObject({ changed: 0, skipped: [] })
  })

  it('skips unknown, deleted, merged and full records, each with its reason, in the order of the request', {
    tags: 'slow',
  }, async () => {
    const [live, deleted, survivor, merged, full] = await Promise.all([1, 2, 3, 4, 5].map(() => founder(ann)))
    const all = await Promise.all(Array.from({ length: RECORD_TAGS_MAX + 1 }, () => tag(ann)))
    const added = all[RECORD_TAGS_MAX] as Row
    const tags = all.slice(0, RECORD_TAGS_MAX).map(({ id }) => id)
    await ann.client.put(`/api/records/${full.id}/tags`, { tags })
    await ann.client.delete(`/api/founders/${deleted.id}`)
    await merge(ann.client, await load(ann, survivor), await load(ann, merged))
    const given = [NOWHERE, full, merged, live, deleted, live]
    const { body } = await bulk(ann, given, { addTag: added.id, stage: stage.Met })
    expect(body).toEqual({
      ...{ bulkId: expect.any(String), changed: 1 },
      skipped: [
        { id: NOWHERE.id, error: 'There is no record with this id' },
        { id: full.id, error: `A record has at most ${RECORD_TAGS_MAX} tags` },
        { id: merged.id, error: 'This record was merged into another one' },
        { id: deleted.id, error: 'There is no record with this id' },
      ],
    })
    // Nothing of a refused record is changed.
    expect(await load(ann, full)).not.toHaveProperty('pipeline')
  })

  it.each([
    ['no ids', { ids: [], set: { addTag: NOWHERE.id } }, 'ids'],
    [`${BULK_MAX + 1} ids`, { ids: Array(BULK_MAX + 1).fill(NOWHERE.id), set: { addTag: NOWHERE.id } }, 'ids'],
    ['an id that is none', { ids: ['x'], set: { addTag: NOWHERE.id } }, 'ids'],
    ['ids that are no list', { ids: NOWHERE.id, set: { addTag: NOWHERE.id } }, 'ids'],
    ['nothing to set', { ids: [NOWHERE.id], set: {} }, 'set'],
    ['without what to set', { ids: [NOWHERE.id] }, 'set'],
    ['something else to set', { ids: [NOWHERE.id], set: { rating: 5 } }, 'set'],
    ['a tag that is no id', { ids: [NOWHERE.id], set: { addTag: 'Climate' } }, 'set'],
    ['an unknown tag', { ids: [NOWHERE.id], set: { addTag: NOWHERE.id } }, 'addTag'],
    ['an unknown stage', { ids: [NOWHERE.id], set: { stage: NOWHERE.id } }, 'stage'],
    ['an unknown fellow', { ids: [NOWHERE.id], set: { responsible: NOWHERE.id } }, 'responsible'],
  ])('is refused at its field with %s, and nothing is kept', async (_what, body, field) => {
    const before = await actsIn()
    const answer = await ann.client.post('/api/records/bulk', body)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]])
    expect(await actsIn()).toBe(before)
  })

  it('is refused with an archived stage and with a disabled fellow', async () => {
    const [record, added] = [await founder(ann), await tag(ann)]
    const { id } = (await manager.client.post('/api/stages', { name: 'Old stage' })).body
    await manager.client.patch(`/api/stages/${id}`, { archived: true })
    const gone = await world.fellow()
    await test.db.execute(sql`update accounts set disabled_at = now() where id = ${gone.account.id}`)
    for (const [set, field] of [
      [{ addTag: added.id, stage: id }, 'stage'],
      [{ addTag: added.id, responsible: gone.publicId }, 'responsible'],
    ] as const) {
      const { status, body } = await bulk(ann, [record], set)
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
    }
    expect(await load(ann, record)).not.toHaveProperty('tags')
  })

  it('is done once for one key, and a repeat gets its outcome', async () => {
    const [record, added] = [await founder(ann), await tag(ann)]
    const headers = { 'idempotency-key': 'bulk-once' }
    const act = () => bulk(ann, [record, NOWHERE], { addTag: added.id, stage: stage.Met }, headers)
    const first = (await act()).body
    await ann.client.put(`/api/records/${record.id}/tags`, { tags: [] })
    expect(await act()).toMatchObject({ status: 200, body: first })
    expect(await load(ann, record)).not.toHaveProperty('tags')
    expect((await bulk(ann, [record], { addTag: added.id }, headers)).status).toBe(422)
  })

  it('is named in the history of each record, and is one entry of the programme’s history', async () => {
    const [one, other, added] = [await founder(ann), await company(ann), await tag(ann)]
    const { bulkId } = (await bulk(bob, [one, other], { addTag: added.id, stage: stage.Met })).body
    await world.undo(bob, bulkId)
    for (const record of [one, other]) {
      const entry = (action: string, isUndo: boolean, changes?: object[]) => ({
        ...{ by: 'Bob', action, ...(changes && { changes }), bulk: { id: bulkId, isUndo } },
      })
      expect((await history(record)).slice(0, 4)).toMatchObject([
        entry('update-pipeline', true),
        entry('delete-tag', true, [{ field: 'tag', before: added.name, after: null }]),
        entry('update-pipeline', false),
        entry('add-tag', false, [{ field: 'tag', before: null, after: added.name }]),
      ])
    }
    const acts = await rowsOf<Row>(
      test.db,
      sql`select action, detail from audit_log where object_id = ${bulkId} order by at, id`,
    )
    expect(acts).toMatchObject([
      { action: 'bulk', detail: { changed: 2, skipped: 0 } },
      { action: 'undo-bulk', detail: { restored: 2, kept: 0 } },
    ])
  })

  it(`takes ${BULK_MAX} records`, { tags: 'slow' }, async () => {
    const added = await tag(ann)
    await test.db.execute(sql`
      insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text)
      select gen_random_uuid(), 'founder', 'Many ' || number, 'x', 'n', 5, ${ann.account.id}, 'many' from generate_series(1, ${BULK_MAX}) number`)
    const records = await rowsOf<Row>(test.db, sql`select id from records where name like 'Many %'`)
    const set = { addTag: added.id, stage: stage.Met, responsible: ann.publicId }
    const { body } = await bulk(ann, records, set)
    expect(body).toMatchObject({ changed: BULK_MAX, skipped: [] })
    expect((await ann.client.get(`/api/founders?tag=${added.id}&limit=500`)).body).toHaveLength(BULK_MAX)
    expect((await world.undo(ann, body.bulkId)).body).toEqual({ restored: BULK_MAX, kept: [] })
    expect((await ann.client.get(`/api/founders?tag=${added.id}`)).body).toEqual([])
  })
})

describe('Recent changes', () => {
  const changes = async ({ client }: Fellow): Promise<Row[]> => (await client.get('/api/changes')).body
  const changeOf = async (fellow: Fellow, id: string) => (await changes(fellow)).find((one) => one.id === id)

  it("have one's own acts on many records, for a manager those of all: what, how many, and the undo", {
    tags: 'slow',
  }, async () => {
    const [one, other, added] = [await founder(ann), await company(ann), await tag(ann)]
    const set = { addTag: added.id, stage: null, responsible: bob.publicId }
    const { bulkId } = (await bulk(ann, [one, other, NOWHERE], set)).body
    const seen = {
      ...{ act: 'bulk', what: `the tag ${added.name}, no stage, Bob as responsible fellow`, count: 2 },
      records: [one, other].map(({ id, name }) => ({ id, name })),
      ...{ by: { id: ann.publicId, name: 'Ann' }, can: { undo: true } },
    }
    for (const fellow of [ann, manager]) expect(await changeOf(fellow, bulkId)).toMatchObject(seen)
    expect(await changeOf(bob, bulkId)).toBeUndefined()
    await world.undo(manager, bulkId)
    await manager.client.delete(`/api/tags/${added.id}`)
    expect(await changeOf(ann, bulkId)).toMatchObject({
      ...{ what: 'a tag that was deleted, no stage, Bob as responsible fellow', undoneAt: expect.any(String) },
      can: { undo: false },
    })
  })

  it('have no act that changed nothing, and nothing of an erased record', { tags: 'slow' }, async () => {
    const [record, kept, added] = [await founder(ann), await founder(ann), await tag(ann)]
    const empty = (await bulk(ann, [NOWHERE], { addTag: added.id })).body
    const alone = (await bulk(ann, [record], { addTag: added.id })).body
    const both = (await bulk(ann, [record, kept], { stage: stage.Met })).body
    await test.db.execute(sql`update records set name = 'Wilhelmina Quartermaine' where id = ${record.id}`)
    const found = await manager.client.post('/api/programme/privacy/search', { names: ['Wilhelmina Quartermaine'] })
    const report = await manager.client.post('/api/programme/privacy/report', { refs: [found.body[0].ref] })
    const reported = report.body.tables.map(({ table }: Row) => table)
    expect(reported).toEqual(expect.arrayContaining(['bulk_rows', 'bulk_acts']))
    const erased = await manager.client.post('/api/programme/privacy/erase', {
      refs: [found.body[0].ref],
      reason: 'asked',
    })
    expect(erased.status).toBe(200)
    expect(await changeOf(ann, empty.bulkId)).toBeUndefined()
    expect(await changeOf(ann, alone.bulkId)).toBeUndefined()
    expect(await changeOf(ann, both.bulkId)).toMatchObject({ count: 1 })
    expect(await rowsOf(test.db, sql`select from bulk_rows where record_id = ${record.id}`)).toEqual([])
    expect((await world.undo(ann, both.bulkId)).body).toEqual({ restored: 1, kept: [] })
  })
})
