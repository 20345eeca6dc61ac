import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UNITED } from '#contract/united.ts'
import { founderKind } from '#server/founders/kind.ts'
import { deleteRecord } from '#server/records/write/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { merge, type Row, undo } from './test/calls.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
// Without a manager, unless a test adds one.
beforeEach(() => test.db.execute(sql`update accounts set role = 'fellow'`))

const PATH = '/api/founders'

type Fellow = Awaited<ReturnType<typeof fellowOf>>
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
const makeManager = () => fellow({ role: 'manager' })
let added = 0
const add = async ({ client }: Fellow, overrides: object = {}): Promise<Row> => {
  added += 1
  const linkedIn = `https://www.linkedin.com/in/n${added}`
  return (await client.post(PATH, { name: 'Ada Okafor', linkedIn, notes: `Met at talk ${added}`, ...overrides })).body
}
const get = async (client: TestClient, { id }: Row): Promise<Row> => (await client.get(`${PATH}/${id}`)).body
const remove = (client: TestClient, { id }: Row) => client.delete(`${PATH}/${id}`)
/** A record whose creator is known by name only. */
const addUnknown = async (creatorText = `Old Tool ${++added}`): Promise<Row> => {
  const { id } = await makeFounder(test.db, { notes: `Imported ${added}` })
  await test.db.execute(sql`update records set creator_id = null, creator_text = ${creatorText} where id = ${id}`)
  await test.db.execute(sql`select rebuild_record(${id})`)
  return { id, version: 1 }
}

describe('A fellow who may not edit both records', () => {
  const makePair = async () => {
    const [ann, bob, cyd] = [await fellow(), await fellow(), await fellow()]
    const first = await add(ann, { name: 'Ada O.', rating: 3, notes: 'First' })
    const second = await add(bob, { name: 'Ada Okafor', rating: 9, notes: 'Second' })
    await test.db.execute(sql`update records set additional_info = '{"current_title": "CTO"}' where id = ${second.id}`)
    return { ann, bob, cyd, first, second }
  }

  it.each([
    ['the survivor', true],
    ['the duplicate', false],
  ])(
    'merges by the rule: values of the record found first, as %s, its empty ones filled, and both notes',
    { tags: 'slow' },
    async (_which, isSurvivor) => {
      const { bob, cyd, first, second } = await makePair()
      const [survivor, duplicate] = isSurvivor ? [first, second] : [second, first]
      for (const { client } of [cyd, bob]) {
        const [one, other] = [await get(client, survivor), await get(client, duplicate)]
        const { status, body } = await merge(client, one, other)
        expect([status, body.error]).toEqual([200, undefined])
        expect(body.record).toMatchObject({ id: survivor.id, name: 'Ada O.', rating: 3, linkedIn: first.linkedIn })
        expect(body.record.notes).toBe(isSurvivor ? 'First\n\nSecond' : 'Second\n\nFirst')
        expect(JSON.parse(body.record.additionalInfo)).toEqual({ current_title: 'CTO' })
        expect((await undo(client, body.mergeId)).status).toBe(200)
      }
    },
  )

  it('may repeat the rule as choices; any other choice is 403 at its field, and nothing is merged', async () => {
    const { bob, cyd, first, second } = await makePair()
    for (const { client } of [cyd, bob]) {
      const answer = await merge(client, second, first, { name: 'survivor', rating: 'duplicate', notes: 'survivor' })
      expect(answer.status).toBe(403)
      expect(Object.keys(answer.body.fields).sort()).toEqual(['name', 'notes'])
    }
    expect((await get(cyd.client, first)).version).toBe(1)
    const choices = { name: 'duplicate', linkedIn: 'duplicate', rating: 'duplicate', notes: 'both' }
    expect((await merge(cyd.client, second, first, choices)).status).toBe(200)
  })

  it('cannot merge notes that are too long together, so that none are lost; a fellow who may edit both chooses', async () => {
    const { ann, cyd, first, second } = await makePair()
    await ann.client.put(`${PATH}/${first.id}`, { notes: 'x'.repeat(10_000) })
    const long = await get(ann.client, first)
    const refused = await merge(cyd.client, long, second)
    expect([refused.status, refused.body.fields.notes]).toEqual([400, refused.body.error])
    await ann.client.post(`/api/records/${second.id}/finders`, {})
    expect((await merge(ann.client, long, second, { notes: 'duplicate' })).body.record.notes).toBe('Second')
  })

  it('chooses after becoming a finder of both', async () => {
    const { bob, first, second } = await makePair()
    await bob.client.post(`/api/records/${first.id}/finders`, {})
    const { body } = await merge(bob.client, first, second, { name: 'duplicate', notes: 'survivor' })
    expect(body.record).toMatchObject({ name: 'Ada Okafor', notes: 'First' })
  })
})

describe('A record that unites records of several first finders', () => {
  it.each([
    ['into the older record', true],
    ['into the younger record', false],
  ])(
    '%s is deleted by a manager only: 409 with the merges for its creator, 403 for anyone else',
    { tags: 'slow' },
    async (_which, isOlder) => {
      const [ann, bob, cyd] = [await fellow(), await fellow(), await fellow()]
      const [older, younger] = [await add(bob), await add(ann)]
      await bob.client.post(`/api/records/${younger.id}/finders`, {})
      const [survivor, duplicate] = isOlder ? [older, younger] : [younger, older]
      const { body } = await merge(bob.client, survivor, duplicate)
      expect(body.record.can).toEqual({ edit: true, delete: false, whyNotDelete: UNITED })
      expect(await remove(bob.client, survivor)).toMatchObject({
        status: 409,
        body: {
          code: 'merged_in',
          merges: [{ id: body.mergeId, other: { id: duplicate.id }, by: { name: bob.account.name } }],
        },
      })
      for (const { client } of [ann, cyd]) {
        expect(await remove(client, survivor)).toMatchObject({ status: 403, body: { error: UNITED } })
        const [listed] = (await client.get(`${PATH}?limit=1`)).body
        expect(listed.can).toMatchObject({ delete: false, whyNotDelete: UNITED })
      }
      expect((await remove((await makeManager()).client, survivor)).status).toBe(204)
    },
  )

  it('stays so through other merges, until all of them are undone in the order of `merges`', {
    tags: 'slow',
  }, async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const [first, second, third] = [await add(bob), await add(ann), await add(bob)]
    await merge(bob.client, second, third)
    await merge(bob.client, first, await get(bob.client, second))
    const refused = await remove(bob.client, first)
    expect(refused.body.merges.map(({ other }: Row) => other.id)).toEqual([second.id, third.id])
    for (const { id } of refused.body.merges) {
      expect((await remove(bob.client, first)).status).toBe(id === refused.body.merges[0].id ? 409 : 204)
      if (id === refused.body.merges[0].id) expect((await undo(bob.client, id)).status).toBe(200)
    }
    expect((await get(ann.client, second)).can).toMatchObject({ delete: false })
    expect((await undo(ann.client, refused.body.merges[1].id)).status).toBe(200)
    for (const [owner, record] of [
      [ann, second],
      [bob, third],
    ] as const) {
      expect((await remove(owner.client, record)).status).toBe(204)
    }
  })

  it('is not one that unites records of one fellow, which its creator deletes', async () => {
    const bob = await fellow()
    const [first, second] = [await add(bob), await add(bob)]
    expect((await merge(bob.client, second, first)).body.record.can).toEqual({ edit: true, delete: true })
    expect((await remove(bob.client, second)).status).toBe(204)
  })

  it('counts an unknown first finder as another, also two of them', async () => {
    const bob = await fellow()
    const [own, ...unknown] = [await add(bob), await addUnknown(), await addUnknown(), await addUnknown()]
    for (const { id } of unknown) await bob.client.post(`/api/records/${id}/finders`, {})
    expect((await merge(bob.client, own, unknown[0])).body.record.can).toMatchObject({ whyNotDelete: UNITED })
    expect((await remove(bob.client, own)).status).toBe(409)
    const { body } = await merge(bob.client, unknown[1], unknown[2])
    expect(body.record.can).toMatchObject({ whyNotDelete: UNITED })
    expect((await remove(bob.client, body.record)).status).toBe(403)
  })

  it('is deleted by its creator once an address shows that all were theirs', async () => {
    const bob = await fellow()
    const { email, id } = bob.account
    const merged = (await merge(bob.client, await addUnknown(email), await addUnknown(email))).body.record
    expect(merged.can.delete).toBe(false)
    await test.db.execute(sql`update accounts set email_verified = true where id = ${id}`)
    expect((await remove(bob.client, merged)).status).toBe(204)
  })

  it('is not deleted by a call that read it before the merge', async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const [first, second] = [await add(bob), await add(ann)]
    const before = { id: first.id, isUnited: false }
    await merge(ann.client, first, second)
    expect(await deleteRecord(test.db, founderKind, bob.account, before)).toBe(false)
    expect((await get(bob.client, first)).name).toBe('Ada Okafor')
  })
})

describe('A record without a known creator', () => {
  it('is deleted by anyone who has it in My Records while there is no manager, and then by a manager only', async () => {
    const [bob, cyd] = [await fellow(), await fellow()]
    const [one, other] = [await addUnknown(), await addUnknown()]
    for (const { id } of [one, other]) await bob.client.post(`/api/records/${id}/finders`, {})
    expect((await get(cyd.client, one)).can).toEqual({
      edit: false,
      delete: false,
      whyNotDelete: 'Only fellows who have found this record or have a note on it can delete it',
    })
    expect((await remove(cyd.client, one)).status).toBe(403)
    expect((await remove(bob.client, one)).status).toBe(204)
    const manager = await makeManager()
    expect((await get(bob.client, other)).can).toMatchObject({
      edit: true,
      delete: false,
      whyNotDelete: 'Only a manager can delete this record, because it is not known who added it',
    })
    expect((await remove(bob.client, other)).status).toBe(403)
    await test.db.execute(sql`update accounts set disabled_at = now() where id = ${manager.account.id}`)
    expect((await get(bob.client, other)).can.delete).toBe(true)
    await test.db.execute(sql`update accounts set disabled_at = null where id = ${manager.account.id}`)
    expect((await remove(manager.client, other)).status).toBe(204)
  })
})

describe('The merges of a record', () => {
  const list = async (client: TestClient, { id }: Row) => (await client.get(`/api/records/${id}/merges`)).body
  it('are listed newest first, and only the newest can be undone, by who may undo it', { tags: 'slow' }, async () => {
    const [ann, bob, cyd, manager] = [await fellow(), await fellow(), await fellow(), await makeManager()]
    const [first, second, third] = [await add(ann), await add(ann), await add(bob)]
    const inner = await merge(ann.client, first, second)
    const outer = await merge(ann.client, inner.body.record, third)
    const expected = (canUndo: boolean) => [
      { id: outer.body.mergeId, other: { id: third.id }, by: { name: ann.account.name }, can: { undo: canUndo } },
      { id: inner.body.mergeId, other: { id: second.id }, can: { undo: false } },
    ]
    for (const { client } of [ann, bob, manager]) expect(await list(client, first)).toMatchObject(expected(true))
    expect(await list(cyd.client, first)).toMatchObject(expected(false))
    await undo(bob.client, outer.body.mergeId)
    expect(await list(ann.client, first)).toMatchObject([{ id: inner.body.mergeId, can: { undo: true } }])
  })

  it('of a record without any are none, and of an unknown one a 404', async () => {
    const ann = await fellow()
    expect(await list(ann.client, await add(ann))).toEqual([])
    expect((await ann.client.get(`/api/records/${crypto.randomUUID()}/merges`)).status).toBe(404)
  })
})

describe('Merging and undoing', () => {
  it('is refused when the duplicate has changed since, returns both, and changes nothing', async () => {
    const ann = await fellow()
    const [first, second] = [await add(ann), await add(ann)]
    await ann.client.put(`${PATH}/${second.id}`, { rating: 9 })
    const { status, body } = await merge(ann.client, first, second)
    expect([status, body.current.map(({ id }: Row) => id)]).toEqual([409, [first.id, second.id]])
    expect([(await get(ann.client, first)).version, (await get(ann.client, second)).version]).toEqual([1, 2])
  })

  it('treats two spellings of an id as one record', async () => {
    const ann = await fellow()
    const [first, second] = [await add(ann), await add(ann)]
    const upper = { ...first, id: first.id.toUpperCase() }
    expect((await merge(ann.client, first, upper)).body.fields).toHaveProperty('duplicateId')
    const { status, body } = await merge(ann.client, upper, second)
    expect([status, body.record.id]).toEqual([200, first.id])
  })

  it('brings back that a record had no public data', async () => {
    const ann = await fellow()
    const [first, second] = [await add(ann), await add(ann)]
    await test.db.execute(sql`update records set additional_info = '{"current_title": "CTO"}' where id = ${second.id}`)
    const { body } = await merge(ann.client, first, second)
    expect(body.record.additionalInfo).toBe('{"current_title":"CTO"}')
    const undone = await undo(ann.client, body.mergeId)
    expect(undone.body.records.map(({ additionalInfo }: Row) => additionalInfo)).toEqual([
      null,
      '{"current_title":"CTO"}',
    ])
  })

  it('is undone by the first finder of a record that was merged before', async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const [first, second, third] = [await add(bob), await add(bob), await add(ann)]
    const inner = await merge(bob.client, second, third)
    const outer = await merge(bob.client, first, inner.body.record)
    for (const { mergeId } of [outer.body, inner.body]) {
      expect((await undo(ann.client, mergeId)).status).toBe(200)
    }
    expect((await get(ann.client, third)).can).toEqual({ edit: true, delete: true })
  })

  it('is undone by the first finder of an imported record, whose address is verified', async () => {
    const [ann, bob] = [await fellow(), await fellow({ emailVerified: true })]
    const { body } = await merge(ann.client, await add(ann), await addUnknown(bob.account.email))
    expect((await undo(bob.client, body.mergeId)).status).toBe(200)
  })
})
