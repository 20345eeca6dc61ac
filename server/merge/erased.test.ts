import { beforeAll, describe, expect, it } from 'vitest'
import { createEmptyApp, IN } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'
import { merge, type Row, undo } from './test/calls.ts'

const test = createEmptyApp()
let ann: TestClient
let manager: TestClient
beforeAll(async () => {
  ann = (await fellowOf(test)).client
  manager = (await fellowOf(test, { role: 'manager' })).client
})

let number = 0
const add = async (values: object = {}): Promise<Row> =>
  (
    await ann.post('/api/founders', {
      name: `Ada ${++number}`,
      linkedIn: `${IN}ada-${number}`,
      notes: 'Met',
      ...values,
    })
  ).body
const current = async ({ id }: Row): Promise<Row> => (await ann.get(`/api/founders/${id}`)).body

/** Erases a name in the values of merges alone. */
async function eraseInMerges(name: string) {
  const { body } = await manager.post('/api/programme/privacy/search', { names: [name] })
  const refs = body.filter(({ kind }: Row) => kind === 'merges').map(({ ref }: Row) => ref)
  expect(refs).not.toEqual([])
  expect((await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
}
const undoable = async (client: TestClient, { id }: Row) => {
  const merges = (await client.get(`/api/records/${id}/merges`)).body
  const changes = (await client.get('/api/changes')).body.filter(({ act }: Row) => act === 'merge').slice(0, 1)
  return [merges, changes].map((list) => list.map(({ can }: Row) => can.undo))
}

describe('A merge whose values were erased', () => {
  it.each(['before', 'after'])(
    'cannot be undone where they stood %s it: 409, can.undo is false and says why',
    { tags: 'slow' },
    async (side) => {
      const text = 'A friend of Zoe Ostrander'
      const [survivor, duplicate] = [
        await add(side === 'before' ? { notes: text } : {}),
        await add(side === 'after' ? { notes: text } : {}),
      ]
      const { body } = await merge(ann, survivor, duplicate, { notes: 'duplicate' })
      expect(await undoable(ann, survivor)).toEqual([[true], [true]])
      await eraseInMerges('Zoe Ostrander')
      const refused = {
        status: 409,
        body: { error: 'Values of these records were erased, so this merge cannot be undone' },
      }
      for (const client of [ann, manager]) {
        expect(await undo(client, body.mergeId)).toMatchObject(refused)
        expect(await undoable(client, survivor)).toEqual([[false], [false]])
      }
      const [change] = (await ann.get('/api/changes')).body
      expect(change.can.whyNotUndo).toBe(refused.body.error)
      expect((await current(survivor)).name).toBe(survivor.name)
    },
  )

  it('holds back the older merges of the chain, and a newer one can still be undone', { tags: 'slow' }, async () => {
    const [one, two, three] = [await add({ notes: 'A friend of Zoe Quandrel' }), await add(), await add()]
    await merge(ann, one, two, { notes: 'duplicate' })
    await eraseInMerges('Zoe Quandrel')
    const { body } = await merge(ann, await current(one), three)
    expect((await ann.get(`/api/records/${one.id}/merges`)).body.map(({ can }: Row) => can.undo)).toEqual([true, false])
    expect((await undo(ann, body.mergeId)).status).toBe(200)
    expect((await ann.get(`/api/records/${one.id}/merges`)).body.map(({ can }: Row) => can.undo)).toEqual([false])
  })
})
