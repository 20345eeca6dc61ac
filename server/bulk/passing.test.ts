import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { bulkWorld, type Fellow } from './test/bulk-world.ts'

let test: TestApp
let [ann, bob, manager] = [] as unknown as [Fellow, Fellow, Fellow]
let stage: Record<string, string>
let [early, other] = [] as unknown as [Row, Row]
const world = bulkWorld(() => test)
const { bulk, undo, founder, company } = world
beforeAll(async () => {
  test = await startTestApp()
  ann = await world.fellow({ name: 'Ann' })
  bob = await world.fellow({ name: 'Bob' })
  manager = await world.fellow({ role: 'manager', name: 'Maya' })
  stage = await world.stages(ann)
  ;[early, other] = (await ann.client.get('/api/passing-reasons')).body
})
afterAll(() => test.close())

const pipeline = async ({ id }: Row) => (await ann.client.get(`/api/records/${id}/pipeline`)).body
const put = (record: Row, body: object, fellow = ann) => world.put(fellow, record, body)
const passed = (text?: string) => ({ status: 'passed', reason: { id: early.id, ...(text && { text }) } })

describe('Pass in bulk', () => {
  it('passes records of both kinds with one reason and one remark, and ends their next steps', async () => {
    const [one, two] = [await founder(ann), await company(bob)]
    await put(one, { stage: stage.Met, nextStep: 'Call', nextOn: '2031-01-02' })
    const { status, body } = await bulk(ann, [one, two], passed('No market yet'))
    expect([status, body]).toEqual([200, { bulkId: expect.any(String), changed: 2, skipped: [] }])
    for (const record of [one, two]) {
      expect(await pipeline(record)).toMatchObject({
        ...{ status: 'passed', reason: { id: early.id, name: early.name, text: 'No market yet' } },
        ...{ nextStep: null, nextOn: null },
      })
    }
    expect((await pipeline(one)).lookAgainOn).toBeUndefined()
    // The stage in which it was passed.
    expect(await pipeline(one)).toMatchObject({ stage: { name: 'Met' } })
  })

  it('sets one day to look again, which the undo takes away', async () => {
    const [one, two] = [await founder(ann), await founder(ann)]
    const { body } = await bulk(ann, [one, two], { ...passed(), lookAgainOn: '2031-05-03' })
    expect(await pipeline(one)).toMatchObject({ lookAgainOn: '2031-05-03' })
    // A fellow who has chosen another day keeps it, and the record stays passed.
    await put(two, { lookAgainOn: '2032-01-01' }, bob)
    expect((await undo(ann, body.bulkId)).body.kept).toMatchObject([{ id: two.id }])
    expect(await pipeline(one)).toMatchObject({ status: 'active' })
    expect(await pipeline(one)).not.toHaveProperty('lookAgainOn')
    expect(await pipeline(two)).toMatchObject({ status: 'passed', lookAgainOn: '2032-01-01' })
    expect((await bulk(ann, [one], { lookAgainOn: '2031-05-03' })).status).toBe(400)
  })

  it('skips records that are passed already, may not be passed, or are gone, each with its reason', async () => {
    const [live, already, advanced, deleted] = await Promise.all([1, 2, 3, 4].map(() => founder(ann)))
    await bulk(ann, [already as Row], { status: 'passed', reason: { id: other.id } })
    await put(advanced as Row, { status: 'advanced' }, manager)
    await ann.client.delete(`/api/founders/${deleted?.id}`)
    const all = [already, advanced, deleted, live] as Row[]
    const { body } = await bulk(bob, all, passed())
    expect(body).toEqual({
      ...{ bulkId: expect.any(String), changed: 1 },
      skipped: [
        { id: already?.id, error: 'This record is passed already' },
        { id: advanced?.id, error: expect.stringContaining('manager') },
        { id: deleted?.id, error: 'There is no record with this id' },
      ],
    })
    expect(await pipeline(already as Row)).toMatchObject({ reason: { id: other.id } })
    expect(await pipeline(advanced as Row)).toMatchObject({ status: 'advanced' })
    expect((await bulk(manager, [advanced as Row], passed())).body).toMatchObject({ changed: 1, skipped: [] })
  })

  it('is refused without a reason, with one that is not listed, and with a reason for nothing', async () => {
    const record = await founder(ann)
    for (const [set, field] of [
      [{ status: 'passed' }, 'reason'],
      [{ status: 'passed', reason: { id: record.id } }, 'reason'],
      [{ reason: { id: early.id } }, 'reason'],
      [{ status: 'advanced' }, 'set'],
    ] as const) {
      const { status, body } = await bulk(ann, [record], set)
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
    }
    expect(await pipeline(record)).toMatchObject({ version: 0 })
  })

  it('is named in the history of each record and among recent changes, and its remark only at its records', async () => {
    const record = await founder(ann)
    const { bulkId } = (await bulk(ann, [record], passed('Said in confidence'))).body
    const [entry] = (await ann.client.get(`/api/founders/${record.id}/history`)).body
    expect(entry).toMatchObject({ action: 'update-pipeline', bulk: { id: bulkId, isUndo: false } })
    expect(entry.changes).toContainEqual({ field: 'status', before: 'active', after: 'passed' })
    const changes: Row[] = (await ann.client.get('/api/changes')).body
    expect(changes.find(({ id }) => id === bulkId)).toMatchObject({ what: `the status Passed (${early.name})` })
    const [act] = await rowsOf<Row>(test.db, sql`select detail from audit_log where object_id = ${bulkId}`)
    expect(act?.detail).toEqual({ status: 'passed', reason: early.id, changed: 1, skipped: 0 })
  })
})

describe('The undo of Pass in bulk', () => {
  it('gives back the status, the next step and the time in the stage', async () => {
    const [record, held] = [await founder(ann), await founder(ann)]
    await put(record, { stage: stage.Met, nextStep: 'Call', nextOn: '2031-01-02' })
    await put(held, { stage: stage.Contacted, status: 'on_hold' })
    const stays = async () => (await ann.client.get(`/api/records/${record.id}/stays`)).body
    const before = await stays()
    const { bulkId } = (await bulk(ann, [record, held], passed('Later'))).body
    expect((await stays())[0].leftAt).not.toBeNull()
    expect((await undo(ann, bulkId)).body).toEqual({ restored: 2, kept: [] })
    expect(await stays()).toEqual(before)
    const given = await pipeline(record)
    expect(given).toMatchObject({ status: 'active', nextStep: 'Call', nextOn: '2031-01-02', daysInStage: 0 })
    expect(given).not.toHaveProperty('reason')
    expect(await pipeline(held)).toMatchObject({ status: 'on_hold', nextStep: null })
  })

  it('gives back a stage that the same act has set', async () => {
    const record = await founder(ann)
    await put(record, { stage: stage.Contacted })
    const { bulkId } = (await bulk(ann, [record], { ...passed(), stage: stage.Met })).body
    expect(await pipeline(record)).toMatchObject({ stage: { name: 'Met' }, status: 'passed' })
    expect((await undo(ann, bulkId)).body).toEqual({ restored: 1, kept: [] })
    expect(await pipeline(record)).toMatchObject({ stage: { name: 'Contacted' }, status: 'active' })
  })

  it('leaves what has changed since, also where the value is the same again, and lists it', {
    tags: 'slow',
  }, async () => {
    const [active, again, reason, remark, step] = (await Promise.all([1, 2, 3, 4, 5].map(() => founder(ann)))) as [
      Row,
      Row,
      Row,
      Row,
      Row,
    ]
    await put(step, { nextStep: 'Call' })
    const { bulkId } = (await bulk(ann, [active, again, reason, remark, step], passed())).body
    await put(active, { status: 'active' })
    await put(again, { status: 'active' }, bob)
    await put(again, passed(), bob)
    await put(reason, { status: 'passed', reason: { id: other.id } })
    await put(remark, passed('More'))
    await put(step, { nextStep: 'Ask again in May' })
    expect((await undo(ann, bulkId)).body).toEqual({
      restored: 1,
      kept: [
        { id: active.id, reason: 'The status was changed since' },
        { id: again.id, reason: 'The status was changed since' },
        { id: reason.id, reason: 'The reason was changed since' },
        { id: remark.id, reason: 'The reason was changed since' },
        { id: step.id, reason: 'The next step was changed since' },
      ],
    })
    expect(await pipeline(step)).toMatchObject({ status: 'active', nextStep: 'Ask again in May' })
    expect(await pipeline(remark)).toMatchObject({ status: 'passed', reason: { text: 'More' } })
  })

  it('does not advance a record for a fellow who may not', async () => {
    const record = await founder(ann)
    await put(record, { status: 'advanced' }, manager)
    const second = await world.fellow({ role: 'manager' })
    const { bulkId } = (await bulk(second, [record], passed())).body
    await test.db.execute(sql`update accounts set role = 'fellow' where id = ${second.account.id}`)
    expect((await undo(second, bulkId)).body).toEqual({
      restored: 0,
      kept: [{ id: record.id, reason: expect.stringContaining('manager') }],
    })
    expect((await pipeline(record)).status).toBe('passed')
  })
})
