import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createEmptyApp, csv, IN, prepare, settled } from '#server/import/test/import-file.ts'
import { merge, type Row } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()
let ann: TestClient
let manager: TestClient
beforeAll(async () => {
  ann = (await fellowOf(test)).client
  manager = (await fellowOf(test, { role: 'manager' })).client
})

let number = 0
const keyed = () => {
  number += 1
  const headers = { 'idempotency-key': `act-${number}` }
  return (path: string, body: object, client = ann) => client.post(path, body, { headers })
}
const founder = () => ({ name: `Nia ${++number}`, linkedIn: `${IN}nia-${number}`, notes: 'Met' })
const company = () => ({ name: `Mill ${++number}`, website: `https://mill-${number}.example`, notes: 'Met' })
const kinds = [
  { path: 'founders', kind: 'founder', input: founder },
  { path: 'companies', kind: 'company', input: company },
]
const current = async (path: string, { id }: Row): Promise<Row> => (await ann.get(`/api/${path}/${id}`)).body

/** Erases a record, and keeps its addresses from coming back. */
async function erase({ name }: Row) {
  const { body } = await manager.post('/api/programme/privacy/search', { names: [name] })
  const refs = body.filter(({ kind }: Row) => kind === 'record').map(({ ref }: Row) => ref)
  expect((await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
}

describe.each(kinds)('A key that has added a $kind', ({ path, kind, input }) => {
  it('returns the survivor after a merge, also of several, and adds nothing', { tags: 'slow' }, async () => {
    const [send, body] = [keyed(), input()]
    const { body: added } = await send(`/api/${path}`, body)
    let survivor = added
    for (const other of [input(), input()]) {
      const next = (await ann.post(`/api/${path}`, other)).body
      expect((await merge(ann, next, await current(path, survivor))).status).toBe(200)
      survivor = next
    }
    expect(await send(`/api/${path}`, body)).toMatchObject({ status: 201, body: { id: survivor.id } })
    expect((await ann.get(`/api/${path}`)).body).toHaveLength(1)
  })

  it('is 404 after an erasure, also of a record that it was merged into', { tags: 'slow' }, async () => {
    const [send, body] = [keyed(), input()]
    const { body: added } = await send(`/api/${path}`, body)
    await erase(added)
    expect((await send(`/api/${path}`, body)).status).toBe(404)
    const [again, lost, kept] = [keyed(), input(), input()]
    const { body: duplicate } = await again(`/api/${path}`, lost)
    const { body: survivor } = await ann.post(`/api/${path}`, kept)
    expect((await merge(ann, survivor, duplicate)).status).toBe(200)
    await erase(survivor)
    expect((await again(`/api/${path}`, lost)).status).toBe(404)
    expect((await ann.get(`/api/${path}`)).body).toEqual([])
  })

  it('returns its note after a merge of its record, with the number of notes of the survivor, and 404 after an erasure', {
    tags: 'slow',
  }, async () => {
    const [one, two] = [(await ann.post(`/api/${path}`, input())).body, (await ann.post(`/api/${path}`, input())).body]
    const [send, where] = [keyed(), `/api/notes/${kind}/${two.id}`]
    const first = await send(where, { content: 'Call her' })
    await ann.post(`/api/notes/${kind}/${one.id}`, { content: 'Another' })
    expect((await merge(ann, await current(path, one), await current(path, two))).status).toBe(200)
    const repeated = await send(where, { content: 'Call her' })
    expect(repeated).toMatchObject({ status: 201, body: { note: first.body.note, totalNotes: 2 } })
    await erase(one)
    expect((await send(where, { content: 'Call her' })).status).toBe(404)
  })
})

const PEOPLE = csv('Name,LinkedIn,Notes', `Ola File,${IN}ola-file,Met`)
const ready = async () => (await prepare(ann, PEOPLE)).id
const done = async () => {
  const id = await ready()
  await ann.post(`/api/imports/${id}/run`)
  await settled(ann, id)
  return id
}
/** A row that may be the same as a record. */
const maybe = async () => {
  await ann.post('/api/founders', { ...founder(), name: 'Ola Maybe' })
  return (await prepare(ann, csv('Name,LinkedIn,Notes', `Ola Maybe,${IN}ola-other,Met`))).id
}

/** Every act with a key besides adding: the call, and what stands for it on the wire. The key stores the id of the act. */
const ACTS: {
  act: string
  of: () => Promise<{ path: string; body: object; id?: string }>
  idOf?: (body: Row) => string
}[] = [
  {
    act: 'a merge',
    of: async () => {
      const [a, b] = [
        (await ann.post('/api/founders', founder())).body,
        (await ann.post('/api/founders', founder())).body,
      ]
      const versions = { [a.id]: 1, [b.id]: 1 }
      return { path: '/api/records/merge', body: { survivorId: a.id, duplicateId: b.id, versions, choices: {} } }
    },
    idOf: ({ mergeId }) => mergeId,
  },
  {
    act: 'a bulk act',
    of: async () => {
      const { id } = (await ann.post('/api/founders', founder())).body
      return {
        path: '/api/records/bulk',
        body: { ids: [id], set: { stage: (await ann.get('/api/stages')).body[0].id } },
      }
    },
    idOf: ({ bulkId }) => bulkId,
  },
  { act: 'a tag', of: async () => ({ path: '/api/tags', body: { name: 'Fair' } }), idOf: ({ id }) => id },
  ...(['run', 'revert', 'look-ups', 'cancel'] as const).map((what) => ({
    act: `the ${what} of an import`,
    of: async () => {
      const id = what === 'run' ? await ready() : await done()
      if (what === 'cancel') await test.db.execute(sql`update imports set state = 'running' where id = ${id}`)
      return { path: `/api/imports/${id}/${what}`, body: {}, id }
    },
  })),
  {
    act: 'adding rows of an import',
    of: async () => {
      const id = await maybe()
      return { path: `/api/imports/${id}/add`, body: { rows: 'all' }, id }
    },
  },
]

describe.each(ACTS)('A key of $act', ({ of, idOf }) => {
  it('stores the id of the act, and a repeat returns its outcome', { tags: 'slow' }, async () => {
    const send = keyed()
    const { path, body, id } = await of()
    const first = await send(path, body)
    expect(first.status).toBeLessThan(300)
    if (path.startsWith('/api/imports')) await settled(ann, id as string)
    const again = await send(path, body)
    expect([again.status, again.body.error]).toEqual([first.status, undefined])
    const [stored] = await rowsOf<Row>(
      test.db,
      sql`select made_id as id from idempotency_keys order by made_at desc limit 1`,
    )
    expect(stored?.id).toBe(idOf?.(again.body) ?? id)
    if (idOf) expect(idOf(again.body)).toBe(idOf(first.body))
  })
})

describe('A key of an act that was refused', () => {
  it('stays free, and returns the refusal of the next attempt', async () => {
    const send = keyed()
    const { id } = (await ann.post('/api/founders', founder())).body
    const body = { survivorId: id, duplicateId: (await ann.post('/api/founders', founder())).body.id, choices: {} }
    expect((await send('/api/records/merge', { ...body, versions: { [id]: 9, [body.duplicateId]: 1 } })).status).toBe(
      409,
    )
    expect((await send('/api/records/merge', { ...body, versions: { [id]: 1, [body.duplicateId]: 1 } })).status).toBe(
      200,
    )
  })
})
