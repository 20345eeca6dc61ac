import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import { records } from '#server/db/schema.ts'
import { merge, type Row, undo as undoMerge } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { bulkWorld, type Fellow } from './test/bulk-world.ts'

let test: TestApp
let [ann, bob, manager] = [] as unknown as [Fellow, Fellow, Fellow]
let stage: Record<string, string>
const world = bulkWorld(() => test)
const { bulk, undo, founder, company, tag, load } = world
beforeAll(async () => {
  test = await startTestApp()
  ann = await world.fellow({ name: 'Ann' })
  bob = await world.fellow({ name: 'Bob' })
  manager = await world.fellow({ role: 'manager', name: 'Maya' })
  stage = await world.stages(ann)
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const pipeline = async (record: Row) => (await load(ann, record)).pipeline
const put = (record: Row, body: object, fellow = ann) => world.put(fellow, record, body)
const tagsOf = async (record: Row) => ((await load(ann, record)).tags ?? []).map(({ id }: Row) => id)

describe('The undo of an act on many records', () => {
  it('gives each record back what it had, as a new version of its pipeline', { tags: 'slow' }, async () => {
    const [first, second, third] = [await founder(ann), await company(bob), await founder(bob)]
    const [added, own] = [await tag(ann), await tag(ann)]
    await put(first, { stage: stage['In review'], responsible: bob.publicId })
    await put(second, { stage: stage.Contacted })
    await ann.client.put(`/api/records/${first.id}/tags`, { tags: [own.id, added.id] })
    const set = { addTag: added.id, stage: stage.Met, responsible: ann.publicId }
    const { bulkId } = (await bulk(ann, [first, second, third], set)).body
    expect(await undo(ann, bulkId)).toMatchObject({ status: 200, body: { restored: 3, kept: [] } })
    expect(await pipeline(first)).toMatchObject({
      stage: { name: 'In review' },
      responsible: { name: 'Bob' },
      version: 3,
    })
    expect(await pipeline(second)).toMatchObject({ stage: { name: 'Contacted' }, responsible: null, version: 3 })
    expect(await pipeline(third)).toMatchObject({ stage: null, responsible: null, version: 2 })
    // It had the tag before the act.
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([[added.id, own.id], []])
  })

  it('leaves what has changed since, and lists it', { tags: 'slow' }, async () => {
    const [moved, given, passed, untagged, again] = await Promise.all([1, 2, 3, 4, 5].map(() => founder(ann)))
    const added = await tag(ann)
    const all = [moved, given, passed, untagged, again]
    const { bulkId } = (await bulk(ann, all, { addTag: added.id, stage: stage.Met, responsible: ann.publicId })).body
    await put(moved, { stage: stage['In review'] })
    await put(given, { responsible: bob.publicId })
    const [reason] = (await ann.client.get('/api/passing-reasons')).body
    await put(passed, { status: 'passed', reason: { id: reason.id } })
    await ann.client.put(`/api/records/${untagged.id}/tags`, { tags: [] })
    await ann.client.put(`/api/records/${again.id}/tags`, { tags: [] })
    await ann.client.put(`/api/records/${again.id}/tags`, { tags: [added.id] })
    const { body } = await undo(ann, bulkId)
    expect(body).toEqual({
      restored: 5,
      kept: [
        { id: moved.id, reason: 'The stage was changed since' },
        { id: given.id, reason: 'The responsible fellow was changed since' },
        { id: passed.id, reason: 'The status was changed since' },
        { id: untagged.id, reason: 'The tag was removed since' },
        { id: again.id, reason: 'The tag was removed since' },
      ],
    })
    expect(await pipeline(moved)).toMatchObject({ stage: { name: 'In review' }, responsible: null })
    expect(await pipeline(given)).toMatchObject({ stage: null, responsible: { name: 'Bob' } })
    expect(await pipeline(passed)).toMatchObject({ stage: { name: 'Met' }, status: 'passed', responsible: null })
    expect(await Promise.all(all.map(tagsOf))).toEqual([[], [], [], [], [added.id]])
  })

  it('leaves what another has changed since, also where the value is the same again', { tags: 'slow' }, async () => {
    const [moved, given, passed, own, undone] = await Promise.all([1, 2, 3, 4, 5].map(() => founder(ann)))
    const all = [moved, given, passed, own, undone]
    const { bulkId } = (await bulk(ann, all, { stage: stage.Met, responsible: ann.publicId })).body
    const [reason] = (await ann.client.get('/api/passing-reasons')).body
    await put(moved, { stage: stage.Contacted }, bob)
    await put(moved, { stage: stage.Met }, manager)
    await put(given, { responsible: null }, bob)
    await put(given, { responsible: ann.publicId }, bob)
    await put(passed, { status: 'passed', reason: { id: reason.id } }, bob)
    await put(passed, { status: 'active' }, bob)
    await put(own, { stage: stage.Contacted })
    await put(own, { stage: stage.Met })
    const later = (await bulk(bob, [undone], { stage: stage.Contacted, responsible: null })).body.bulkId
    await undo(bob, later)
    expect((await undo(ann, bulkId)).body).toEqual({
      restored: 5,
      kept: [
        { id: moved.id, reason: 'The stage was changed since' },
        { id: given.id, reason: 'The responsible fellow was changed since' },
        { id: passed.id, reason: 'The status was changed since' },
      ],
    })
    const stageOf = async (record: Row) => (await pipeline(record)).stage?.name
    expect(await Promise.all(all.map(stageOf))).toEqual(['Met', undefined, 'Met', undefined, undefined])
    const stays = (await ann.client.get(`/api/records/${moved.id}/stays`)).body
    expect(stays.map(({ stage, by }: Row) => [stage.name, by])).toEqual([
      ['Met', 'Maya'],
      ['Contacted', 'Bob'],
    ])
  })

  it('gives back what another has changed since by a merge that was undone', { tags: 'slow' }, async () => {
    const [record, duplicate] = [await founder(ann), await founder(bob)]
    await put(record, { stage: stage.Met })
    await put(duplicate, { stage: stage.Contacted }, bob)
    const { bulkId } = (await bulk(ann, [record], { stage: null })).body
    const { mergeId } = (await merge(manager.client, await load(ann, record), await load(ann, duplicate))).body
    expect(await pipeline(record)).toMatchObject({ stage: { name: 'Contacted' } })
    await undoMerge(manager.client, mergeId)
    expect((await undo(ann, bulkId)).body).toEqual({ restored: 1, kept: [] })
    expect(await pipeline(record)).toMatchObject({ stage: { name: 'Met' } })
  })

  it('leaves a stage that an import of another has changed since, also where it is the same again', async () => {
    const record = await founder(ann)
    const { bulkId } = (await bulk(ann, [record], { stage: stage.Met })).body
    for (const stageId of [stage.Contacted, stage.Met]) {
      await withActor(test.db, bob.account, async (tx) => {
        await beginAct(tx, bob.account, importAct(NOWHERE))
        await tx.update(records).set({ stageId }).where(eq(records.id, record.id))
      })
    }
    expect((await undo(ann, bulkId)).body).toEqual({
      restored: 0,
      kept: [{ id: record.id, reason: 'The stage was changed since' }],
    })
  })

  it('leaves a stage that was archived since, and a fellow who has left since, and lists both', async () => {
    const [record, left] = [await founder(ann), await world.fellow()]
    const { id } = (await manager.client.post('/api/stages', { name: 'Short' })).body
    await put(record, { stage: id, responsible: left.publicId })
    const { bulkId } = (await bulk(ann, [record], { stage: stage.Met, responsible: bob.publicId })).body
    await manager.client.patch(`/api/stages/${id}`, { archived: true })
    await test.db.execute(sql`update accounts set disabled_at = now() where id = ${left.account.id}`)
    expect((await undo(ann, bulkId)).body).toEqual({
      restored: 0,
      kept: [
        { id: record.id, reason: 'The stage before was archived since' },
        { id: record.id, reason: 'The responsible fellow before has left since' },
      ],
    })
    expect(await pipeline(record)).toMatchObject({ stage: { name: 'Met' }, responsible: { name: 'Bob' } })
  })

  it('leaves records that were merged or deleted since, and lists them', { tags: 'slow' }, async () => {
    const [survivor, merged, deleted, other] = await Promise.all([1, 2, 3, 4].map(() => founder(ann)))
    const added = await tag(ann)
    const { bulkId } = (await bulk(ann, [survivor, merged, deleted, other], { addTag: added.id })).body
    const { mergeId } = (await merge(ann.client, await load(ann, survivor), await load(ann, merged))).body
    await ann.client.delete(`/api/founders/${deleted.id}`)
    expect((await undo(ann, bulkId)).body).toEqual({
      restored: 2,
      kept: [
        { id: merged.id, reason: 'Merged into another record since' },
        { id: deleted.id, reason: 'Deleted since' },
      ],
    })
    // The survivor has the tag of the merged record, which gets it back.
    expect(await tagsOf(survivor)).toEqual([added.id])
    const ids = async () => (await ann.client.get(`/api/founders?tag=${added.id}`)).body.map(({ id }: Row) => id)
    expect(await ids()).toEqual([survivor.id])
    await undoMerge(ann.client, mergeId)
    expect([await tagsOf(survivor), await tagsOf(merged), await tagsOf(other)]).toEqual([[], [added.id], []])
    expect(await ids()).toEqual([merged.id])
  })

  it('is for the fellow who did it and for managers', async () => {
    const [record, added] = [await founder(bob), await tag(bob)]
    const { bulkId } = (await bulk(ann, [record], { addTag: added.id })).body
    expect(await undo(bob, bulkId)).toMatchObject({
      ...{ status: 403, body: { error: 'Only the fellow who changed these records and managers can undo this' } },
    })
    expect(await tagsOf(record)).toEqual([added.id])
    expect((await undo(manager, bulkId)).status).toBe(200)
    for (const id of [NOWHERE, 'x']) expect((await undo(ann, id)).status).toBe(404)
  })

  it('is refused when it was done already, also at the same time, and after 30 days', async () => {
    const [record, added] = [await founder(ann), await tag(ann)]
    const { bulkId } = (await bulk(ann, [record], { addTag: added.id })).body
    const both = await Promise.all([undo(ann, bulkId), undo(ann, bulkId)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await undo(ann, bulkId)).body.error).toBe('This has been undone')
    const late = (await bulk(ann, [record], { addTag: added.id })).body.bulkId
    const age = (hours: number) =>
      test.db.execute(sql`update bulk_acts set done_at = now() - make_interval(hours => ${hours}) where id = ${late}`)
    await age(30 * 24 + 1)
    expect(await undo(ann, late)).toMatchObject({ status: 409, body: { error: 'This can be undone for 30 days' } })
    await age(30 * 24 - 1)
    expect((await undo(ann, late)).status).toBe(200)
  })

  it('of two acts on one record works in any order', async () => {
    const [record, a, b] = [await founder(ann), await tag(ann), await tag(ann)]
    const first = (await bulk(ann, [record], { addTag: a.id, stage: stage.Contacted })).body.bulkId
    const second = (await bulk(bob, [record], { addTag: b.id, stage: stage.Met })).body.bulkId
    expect((await undo(ann, first)).body).toEqual({
      restored: 1,
      kept: [{ id: record.id, reason: 'The stage was changed since' }],
    })
    expect((await undo(bob, second)).body).toEqual({ restored: 1, kept: [] })
    expect([await tagsOf(record), (await pipeline(record)).stage.name]).toEqual([[], 'Contacted'])
  })
})
