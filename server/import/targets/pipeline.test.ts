import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { STEP_DAY_RULE } from '#contract/days.ts'
import type { PassingReason, Stage } from '#contract/stage.ts'
import { rowsOf as queryRows } from '#server/db/database.ts'
import { NOW_RESPONSIBLE } from '#server/import/rows/plan-pipeline.ts'
import {
  act,
  createEmptyApp,
  csv,
  importFile,
  NONE,
  prepare,
  rowsOf,
  settled,
} from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

type Fellow = Awaited<ReturnType<typeof fellowOf>>
let manager: Fellow
let ada: Fellow
let stages: Stage[]
let reasons: PassingReason[]
beforeAll(async () => {
  manager = await fellowOf(test, { name: 'Mara Müller', role: 'manager' })
  ada = await fellowOf(test, { name: 'Ada Byron' })
  stages = (await ada.client.get('/api/stages')).body
  reasons = (await ada.client.get('/api/passing-reasons')).body
})
beforeEach(async () => {
  await test.db.execute(sql`delete from tags`)
})

const HEADER = 'Name,Stage,Status,Owner,Tags,Next step,Next step date,Passing reason'

async function founders(client: TestClient) {
  const list = (await client.get('/api/founders')).body as { id: string; name: string }[]
  const all = await Promise.all(
    list.map(async ({ id, name }) => ({
      name,
      ...(await client.get(`/api/records/${id}/pipeline`)).body,
      tags: ((await client.get(`/api/founders/${id}`)).body.tags ?? []).map((tag: { name: string }) => tag.name),
      notes: (await client.get(`/api/founders/${id}`)).body.notes,
    })),
  )
  return new Map(all.map((one) => [one.name, one]))
}

/** What an import of pipelines may change, without times. */
async function dump() {
  const [row] = await queryRows<{ dump: unknown }>(
    test.db,
    sql`
    select json_build_object(
      'records', (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'name', name, 'notes', notes, 'stage', stage_id,
        'status', status, 'responsible', responsible_id, 'step', next_step, 'on', next_on, 'reason', passing_reason_id) order by id), '[]')
        from records where kind not like '%-%'),
      'tags', (select coalesce(json_agg(name order by name), '[]') from tags),
      'ofRecords', (select coalesce(json_agg(record_id order by record_id, tag_id), '[]') from record_tags),
      'stages', (select json_agg(name order by name) from stages),
      'counts', (select coalesce(json_agg(json_build_array(kind, stage_id, status, count) order by kind, stage_id, status), '[]')
        from pipeline_counts where count <> 0)
    ) as dump`,
  )
  return row?.dump
}

describe('An imported file with stages, statuses, owners, tags and next steps', () => {
  it('fills them, matched by name without case and accents, and fellows by address or name', {
    tags: 'slow',
  }, async () => {
    await ada.client.post('/api/tags', { name: 'Café' })
    const file = csv(
      HEADER,
      `Ann Ash,${stages[1]?.name.toUpperCase()},On hold,mara muller,CAFE,Call her,2031-03-18,`,
      `Ben Birch,${stages[0]?.name},passed,${ada.account.email},,,,${reasons[0]?.name.toLowerCase()}`,
    )
    const ready = await prepare(ada.client, file)
    expect(ready).toMatchObject({
      mapping: { stage: 1, status: 2, responsible: 3, tags: 4, nextStep: 5, nextOn: 6, reason: 7 },
    })
    expect(ready.unmatched).toEqual({})
    expect((await rowsOf(ada.client, ready.id))[0]?.values).toMatchObject({
      ...{ stage: stages[1]?.name, status: 'On hold', responsible: 'Mara Müller', tags: 'Café' },
      ...{ nextStep: 'Call her', nextOn: '2031-03-18' },
    })
    expect((await act(ada.client, ready.id, 'run')).counts).toEqual({ ...NONE, created: 2 })
    const found = await founders(ada.client)
    expect(found.get('Ann Ash')).toMatchObject({
      ...{ stage: { id: stages[1]?.id }, status: 'on_hold', responsible: { name: 'Mara Müller' }, tags: ['Café'] },
      ...{ nextStep: 'Call her', nextOn: '2031-03-18', version: 1 },
    })
    expect(found.get('Ben Birch')).toMatchObject({
      ...{ stage: { id: stages[0]?.id }, status: 'passed', responsible: { name: 'Ada Byron' } },
      reason: { id: reasons[0]?.id },
    })
    expect((await importFile(ada.client, file)).counts).toEqual({ ...NONE, same: 2 })
  })

  it('creates no stage and no fellow: unknown values are listed, left out with a sentence, and kept in the notes', {
    tags: 'slow',
  }, async () => {
    const file = csv(HEADER, 'Ann Ash,Diligence,Dreaming,Zed Zulu,New; Newer,,,', 'Ben Birch,diligence,,,new,,soon,')
    const ready = await prepare(ada.client, file)
    expect(ready.unmatched).toEqual({
      stage: [{ text: 'Diligence', count: 2 }],
      status: [{ text: 'Dreaming', count: 1 }],
      responsible: [{ text: 'Zed Zulu', count: 1 }],
      tags: [
        { text: 'New', count: 2 },
        { text: 'Newer', count: 1 },
      ],
    })
    expect(ready.doubts).toEqual({ values: true })
    expect((await act(ada.client, ready.id, 'run')).counts).toEqual({ ...NONE, created: 2, marked: 2 })
    const found = await founders(ada.client)
    expect(found.get('Ann Ash')).toMatchObject({
      stage: null,
      status: 'active',
      responsible: null,
      version: 0,
      tags: [],
    })
    expect(found.get('Ann Ash').notes).toBe(
      'Stage: Diligence\nStatus: Dreaming\nOwner: Zed Zulu\nTags: New\nTags: Newer',
    )
    expect((await rowsOf(ada.client, ready.id))[0]?.faults).toContainEqual({
      column: 'Stage',
      sentence: 'No stage has this name',
    })
    expect((await ada.client.get('/api/stages')).body).toEqual(stages)
    expect((await ada.client.get('/api/tags')).body).toEqual([])
    expect((await importFile(ada.client, file)).counts).toEqual({ ...NONE, same: 2 })
  })

  it('takes the choices of a person, and creates the tags that they allow', { tags: 'slow' }, async () => {
    const file = csv(HEADER, 'Ann Ash,Diligence,,Zed,"Deep tech, New",,,', 'Ben Birch,Lost,,,deep tech,,,')
    const ready = await prepare(ada.client, file)
    const fellow = (await ada.client.get('/api/fellows?search=mara')).body[0].id
    const choices = { stage: { diligence: stages[2]?.id ?? '', Lost: null }, responsible: { Zed: fellow } }
    const patch = { choices, createTags: true }
    expect((await ada.client.patch(`/api/imports/${ready.id}`, patch)).status).toBe(200)
    const again = await settled(ada.client, ready.id)
    expect(again.doubts).toEqual({})
    expect((await ada.client.get('/api/tags')).body).toEqual([])
    expect((await rowsOf(ada.client, ready.id))[0]?.values).toMatchObject({
      ...{ stage: stages[2]?.name, responsible: 'Mara Müller', tags: 'Deep tech, New' },
    })
    await act(ada.client, ready.id, 'run')
    const found = await founders(ada.client)
    expect(found.get('Ann Ash')).toMatchObject({ stage: { id: stages[2]?.id }, tags: ['Deep tech', 'New'] })
    expect(found.get('Ben Birch')).toMatchObject({ stage: null, tags: ['Deep tech'], notes: 'Stage: Lost' })
  })

  it.each([
    { stage: { X: '01900000-0000-7000-8000-000000000001' } },
    { responsible: { X: 'someone' } },
    { status: { X: 'won' } },
    { reason: { X: '' } },
  ])('refuses a choice that does not exist: %j', { tags: 'slow' }, async (choices) => {
    const ready = await prepare(ada.client, csv(HEADER, 'Ann Ash,X,X,X,,,,X'))
    expect((await ada.client.patch(`/api/imports/${ready.id}`, { choices })).status).toBe(400)
  })

  it('offers no archived stage', { tags: 'slow' }, async () => {
    const archived = (await manager.client.post('/api/stages', { name: 'Old stage' })).body
    await manager.client.patch(`/api/stages/${archived.id}`, { archived: true })
    const ready = await prepare(ada.client, csv(HEADER, 'Ann Ash,Old stage,,,,,,'))
    expect(ready.unmatched).toEqual({ stage: [{ text: 'Old stage', count: 1 }] })
    const choices = { stage: { 'Old stage': archived.id } }
    expect((await ada.client.patch(`/api/imports/${ready.id}`, { choices })).status).toBe(400)
  })

  it('needs a reason for passed, and a manager for advanced', { tags: 'slow' }, async () => {
    const file = csv(HEADER, 'Ann Ash,,passed,,,,,', 'Ben Birch,,passed,,,,,Odd', 'Cem Cole,,Advanced,,,,,')
    await importFile(ada.client, file)
    const found = await founders(ada.client)
    for (const name of ['Ann Ash', 'Ben Birch', 'Cem Cole'])
      expect(found.get(name)).toMatchObject({ status: 'active', version: 0 })
    expect(found.get('Ann Ash').notes).toBe('Status: passed')
    const done = await importFile(manager.client, file, { duplicates: 'update' })
    expect(done.counts).toMatchObject({ updated: 1 })
    expect((await founders(ada.client)).get('Cem Cole')).toMatchObject({ status: 'advanced' })
    const back = await importFile(ada.client, csv(HEADER, 'Cem Cole,,active,,,,,'), { duplicates: 'update' })
    expect(back.counts).toMatchObject({ updated: 0 })
    expect((await founders(ada.client)).get('Cem Cole')).toMatchObject({ status: 'advanced' })
  })
})

describe('An imported next step where no one is responsible', () => {
  it('makes the person who imports responsible, said in a sentence, and leaves who is responsible already', async () => {
    const file = csv(HEADER, 'Ann Ash,,,,,Call,,', 'Ben Birch,,,Mara Müller,,Call,,', 'Cem Cole,,,,,,,')
    const done = await importFile(ada.client, file)
    const found = await founders(ada.client)
    expect(['Ann Ash', 'Ben Birch', 'Cem Cole'].map((name) => found.get(name).responsible?.name)).toEqual([
      ...['Ada Byron', 'Mara Müller', undefined],
    ])
    const said = (await rowsOf(ada.client, done.id)).map(({ faults }) => faults.map(({ sentence }) => sentence))
    expect(said).toEqual([[NOW_RESPONSIBLE], [], []])
    expect((await importFile(ada.client, file)).counts).toEqual({ ...NONE, same: 3 })
    const later = await importFile(ada.client, csv(HEADER, 'Cem Cole,,,,,Write,,'), { duplicates: 'fill' })
    expect((await founders(ada.client)).get('Cem Cole')).toMatchObject({
      ...{ nextStep: 'Write', responsible: { name: 'Ada Byron' } },
    })
    await act(ada.client, later.id, 'revert')
    expect((await founders(ada.client)).get('Cem Cole')).toMatchObject({ nextStep: null, responsible: null })
  })
})

describe('A file that is imported again with its pipeline', () => {
  it('fills empty values, or replaces them, raises the version of the pipeline alone, and is reverted without a trace', {
    tags: 'slow',
  }, async () => {
    await importFile(ada.client, csv('Name', 'Ann Ash', 'Ben Birch'))
    const before = await dump()
    const record = async () => (await ada.client.get('/api/founders?search=ann')).body[0]
    const { version, id } = await record()
    const file = csv(HEADER, `Ann Ash,${stages[0]?.name},,Ada Byron,One; Two,Call,,`, `Ben Birch,,,,Two,,,`)
    const patch = { duplicates: 'fill', createTags: true } as const
    const filled = await importFile(ada.client, file, patch)
    expect(filled.counts).toEqual({ ...NONE, updated: 2 })
    expect((await founders(ada.client)).get('Ann Ash')).toMatchObject({
      ...{ stage: { id: stages[0]?.id }, responsible: { name: 'Ada Byron' }, tags: ['One', 'Two'], nextStep: 'Call' },
      version: 1,
    })
    expect((await record()).version).toBe(version)
    expect((await importFile(ada.client, file, patch)).counts).toEqual({ ...NONE, same: 2 })

    const other = csv(HEADER, `Ann Ash,${stages[1]?.name},,Mara Müller,Three,Write,2031-01-02,`)
    expect((await importFile(ada.client, other, patch)).counts).toMatchObject({ updated: 1 })
    expect((await founders(ada.client)).get('Ann Ash')).toMatchObject({
      ...{ stage: { id: stages[0]?.id }, nextStep: 'Call', nextOn: null, tags: ['One', 'Three', 'Two'], version: 1 },
    })
    const updated = await importFile(ada.client, other, { ...patch, duplicates: 'update' })
    expect((await founders(ada.client)).get('Ann Ash')).toMatchObject({
      ...{
        stage: { id: stages[1]?.id },
        responsible: { name: 'Mara Müller' },
        nextStep: 'Write',
        nextOn: '2031-01-02',
        version: 2,
      },
    })
    expect((await act(ada.client, updated.id, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
    const tagging = (await ada.client.get('/api/imports')).body[1].id
    await act(ada.client, tagging, 'revert')
    expect((await act(ada.client, filled.id, 'revert')).counts).toEqual({ ...NONE, reverted: 2 })
    expect(await dump()).toEqual({ ...(before as object), counts: expect.anything() })
    expect((await ada.client.get(`/api/records/${id}/pipeline`)).body).toMatchObject({ stage: null, responsible: null })
  })

  it('ends the next step with a pass, unless the row has one, and gives it back with the revert', {
    tags: 'slow',
  }, async () => {
    const [stage, reason] = [stages[0]?.name, reasons[0]?.name]
    await importFile(ada.client, csv(HEADER, `Ann Ash,${stage},,,,Call,2031-01-01,`, `Ben Birch,${stage},,,,Call,,`))
    const file = csv(HEADER, `Ann Ash,,passed,,,,,${reason}`, `Ben Birch,,passed,,,Ask again,2032-01-01,${reason}`)
    const done = await importFile(ada.client, file, { duplicates: 'update' })
    const after = await founders(ada.client)
    expect(after.get('Ann Ash')).toMatchObject({ status: 'passed', nextStep: null, nextOn: null })
    expect(after.get('Ben Birch')).toMatchObject({ status: 'passed', nextStep: 'Ask again', nextOn: '2032-01-01' })
    await act(ada.client, done.id, 'revert')
    const before = await founders(ada.client)
    expect(before.get('Ann Ash')).toMatchObject({ status: 'active', nextStep: 'Call', nextOn: '2031-01-01' })
    expect(before.get('Ben Birch')).toMatchObject({ status: 'active', nextStep: 'Call', nextOn: null })
  })

  it('leaves out a day that does not exist or is hardly meant, with a sentence, and keeps its text in the notes', {
    tags: 'slow',
  }, async () => {
    const days = ['2026-02-30', '2026-02-30T10:00:00Z', '30 February 2026', '31/04/2026', '0026-03-05', '2260-03-05']
    const file = csv(HEADER, ...days.map((day, at) => `Founder ${at},,,Ada Byron,,Call,${day},`))
    const ready = await prepare(ada.client, file, { dates: 'day-first' })
    for (const { faults, values } of await rowsOf(ada.client, ready.id)) {
      expect([faults, values.nextOn]).toEqual([[{ column: 'Next step date', sentence: STEP_DAY_RULE }], undefined])
    }
    await act(ada.client, ready.id, 'run')
    const found = await founders(ada.client)
    for (const [at, day] of days.entries()) {
      expect(found.get(`Founder ${at}`)).toMatchObject({ nextOn: null, notes: `Next step date: ${day}` })
    }
  })

  it('keeps what was changed since, and the created tags that something else carries', { tags: 'slow' }, async () => {
    const file = csv(HEADER, `Ann Ash,${stages[0]?.name},,,One; Two,,,`, 'Ben Birch,,,,One,,,')
    const done = await importFile(ada.client, file, { createTags: true })
    await importFile(ada.client, csv('Name,Tags', 'Cem Cole,Two'))
    const ann = (await ada.client.get('/api/founders?search=ann')).body[0]
    await ada.client.put(`/api/records/${ann.id}/pipeline`, { stage: stages[1]?.id, version: 1 })
    const reverted = await act(ada.client, done.id, 'revert')
    expect(reverted.counts).toEqual({ ...NONE, reverted: 1, kept: 1 })
    const found = await founders(ada.client)
    expect([...found.keys()].sort()).toEqual(['Ann Ash', 'Cem Cole'])
    expect(found.get('Ann Ash')).toMatchObject({ stage: { id: stages[1]?.id }, tags: ['One', 'Two'] })
  })

  it('leaves nothing behind when all of it is reverted', { tags: 'slow' }, async () => {
    const before = await dump()
    const file = csv(
      HEADER,
      `Ann Ash,${stages[0]?.name},On hold,Ada Byron,One; Two,Call,2031-01-02,`,
      'Ben Birch,,,,One,,,',
    )
    const done = await importFile(ada.client, file, { createTags: true })
    expect(await dump()).not.toEqual(before)
    expect((await act(ada.client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 2 })
    expect(await dump()).toEqual(before)
  })

  it.each([
    ['status: active alone', 'Ann Ash,,active,,,,,'],
    ['status: active with a tag', 'Ann Ash,,active,,One,,,'],
    ['status: active with a next step', 'Ann Ash,,active,,,Call,,'],
    ['another status alone', 'Ann Ash,,on hold,,,,,'],
    ['a reason without a status', 'Ann Ash,,,,,,,Market'],
  ])(
    'leaves nothing behind either of a record with %s, unless it was changed since',
    { tags: 'slow' },
    async (_, row) => {
      const before = await dump()
      const done = await importFile(ada.client, csv(HEADER, row), { createTags: true })
      expect((await act(ada.client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
      expect(await dump()).toEqual(before)

      const again = await importFile(ada.client, csv(HEADER, row), { createTags: true })
      const ann = (await founders(ada.client)).get('Ann Ash')
      const { id } = (await ada.client.get('/api/founders?search=ann')).body[0]
      const change = { stage: stages[1]?.id, version: ann?.version }
      expect((await ada.client.put(`/api/records/${id}/pipeline`, change)).status).toBe(200)
      expect((await act(ada.client, again.id, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
    },
  )
})
