import { beforeAll, describe, expect, it } from 'vitest'
import type { Stage } from '#contract/stage.ts'
import { act, createEmptyApp, csv, IN, NONE, prepare, rowsOf, settled } from '#server/import/test/import-file.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

type Fellow = Awaited<ReturnType<typeof fellowOf>>
let manager: Fellow
let ada: Fellow
beforeAll(async () => {
  manager = await fellowOf(test, { name: 'Mara Müller', role: 'manager' })
  ada = await fellowOf(test, { name: 'Ada Byron' })
})

/** A stage that can be archived between the preview of a file and its run. */
async function openStage(name: string) {
  const stage: Stage = (await manager.client.post('/api/stages', { name })).body
  const archive = async () =>
    expect((await manager.client.patch(`/api/stages/${stage.id}`, { archived: true })).status).toBe(200)
  return { archive }
}

const namesOf = async () =>
  (await ada.client.get('/api/founders')).body.map(({ name }: { name: string }) => name).sort()

const NO_STAGE = { column: 'Stage', sentence: 'No stage has this name' }

describe('A row that could be imported when its file was read', () => {
  it('is refused with its reason when its stage has been archived since', { tags: 'slow' }, async () => {
    const { archive } = await openStage('Screening')
    const ready = await prepare(ada.client, csv('Name,Stage', 'Ann Ash,Screening', 'Ben Birch,'), { cells: 'refuse' })
    expect(ready.counts).toEqual({ ...NONE, created: 2 })
    await archive()
    const done = await act(ada.client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, created: 1, refused: 1 })
    expect(await namesOf()).toEqual(['Ben Birch'])
    const [first, second] = await rowsOf(ada.client, ready.id)
    expect(first).toMatchObject({ outcome: 'refused', faults: [NO_STAGE] })
    expect(second).toMatchObject({ outcome: 'created', faults: [] })
    expect(await rowsOf(ada.client, ready.id, 'outcome=created')).toHaveLength(1)
    const file = (await ada.client.get(`/api/imports/${ready.id}/refused.csv`)).text
    expect(file).toContain('Ann Ash,Screening,Stage: No stage has this name')
    expect((await act(ada.client, ready.id, 'revert')).counts).toEqual({ ...NONE, refused: 1, reverted: 1 })
  })

  it('is a duplicate with its record when that record was added since', { tags: 'slow' }, async () => {
    const ready = await prepare(ada.client, csv('Name,LinkedIn', `Ann Ash,${IN}ann-ash`))
    expect(ready.counts).toEqual({ ...NONE, created: 1 })
    const { id } = await makeFounder(test.db, { creator: ada.account, name: 'Ann Ash', linkedIn: `${IN}ann-ash` })
    const done = await act(ada.client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, same: 1 })
    expect((await rowsOf(ada.client, ready.id))[0]).toMatchObject({ outcome: 'same', recordId: id })
  })

  it('is refused with its reason, too, when it is added after the run', { tags: 'slow' }, async () => {
    const { archive } = await openStage('Interview')
    await makeFounder(test.db, { creator: ada.account, name: 'Katharina Berglund', linkedIn: `${IN}kb` })
    const file = csv('Name,Stage', 'Katarina Berglund,Interview')
    const ready = await prepare(ada.client, file, { cells: 'refuse' })
    expect((await act(ada.client, ready.id, 'run')).counts).toEqual({ ...NONE, maybe: 1 })
    await archive()
    expect((await ada.client.post(`/api/imports/${ready.id}/add`, { rows: 'all' })).status).toBe(202)
    expect((await settled(ada.client, ready.id)).counts).toEqual({ ...NONE, refused: 1 })
    expect((await rowsOf(ada.client, ready.id))[0]).toMatchObject({ outcome: 'refused', faults: [NO_STAGE] })
    expect(await namesOf()).toEqual(['Katharina Berglund'])
  })
})
