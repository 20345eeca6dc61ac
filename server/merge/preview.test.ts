import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createPipelineCalls } from '#server/pipeline/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { merge, preview, type Row } from './test/calls.ts'

// That a preview equals the merge, for every field, is in `server/declared-fields.test.ts`.

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

type Fellow = Awaited<ReturnType<typeof fellowOf>>
const PATH = '/api/founders'
let added = 0
const add = async ({ client }: Fellow, input: object): Promise<Row> => {
  added += 1
  const linkedIn = `https://www.linkedin.com/in/p${added}`
  const { body } = await client.post(PATH, { name: 'Ada Okafor', linkedIn, notes: `Met at talk ${added}`, ...input })
  return (await client.get(`${PATH}/${body.id}`)).body
}
/** Two records by two fellows, of whom the second one has found both. */
const makePair = async (first: object = {}, second: object = {}) => {
  const [ann, bob, cyd] = [await fellowOf(test), await fellowOf(test), await fellowOf(test)]
  const pair = { ann, bob, cyd, first: await add(ann, first), second: await add(bob, second) }
  await bob.client.post(`/api/records/${pair.first.id}/finders`, {})
  return pair
}
const proposedIn = ({ body }: Row) => body.proposed

describe('The preview of a merge', () => {
  it('writes nothing', async () => {
    const { bob, first, second } = await makePair()
    const state = () =>
      rowsOf(
        test.db,
        sql`select records::text, (select count(*) from audit_log), (select count(*) from merges) from records order by id`,
      )
    const before = await state()
    expect((await preview(bob.client, first, second)).status).toBe(200)
    expect(await state()).toEqual(before)
  })

  it('proposes the fuller text, else the value of the record found first, and both notes', async () => {
    const { bob, first, second } = await makePair({ name: 'Ada', rating: 2 }, { name: 'Ada Okafor', rating: 9 })
    const expected = { name: 'duplicate', linkedIn: 'survivor', rating: 'survivor', notes: 'both' }
    expect(proposedIn(await preview(bob.client, first, second))).toEqual(expected)
    const swapped = { name: 'survivor', linkedIn: 'duplicate', rating: 'duplicate', notes: 'both' }
    const other = await preview(bob.client, second, first)
    expect(proposedIn(other)).toEqual(swapped)
    expect(other.body).toMatchObject({ canChoose: true, notesFit: true, record: { id: second.id, rating: 2 } })
  })

  it('names what the duplicate loses of its pipeline, such as its next step, and nothing that the survivor gets', {
    tags: 'slow',
  }, async () => {
    const { bob, first, second } = await makePair()
    const calls = await createPipelineCalls(test, bob.client)
    const me = await calls.fellowId(bob.account)
    const dropped = async () => (await preview(bob.client, first, second)).body.dropped
    const step = { responsible: me, nextStep: 'Call', nextOn: '2030-01-01' }
    await calls.put(second.id, { ...step, stage: calls.stage.Met, version: 0 })
    expect(await dropped()).toBeUndefined()
    await calls.put(first.id, { nextStep: 'Write', version: 0 })
    expect(await dropped()).toEqual([
      { field: 'nextStep', value: 'Call' },
      { field: 'nextOn', value: '2030-01-01' },
    ])
    await calls.put(first.id, { stage: calls.stage.Contacted, status: 'on_hold', nextStep: 'Call', version: 1 })
    await calls.put(second.id, {
      ...{ status: 'passed', reason: { id: calls.reason.Team, text: 'Alone' } },
      ...step,
      version: 1,
    })
    expect((await dropped()).map(({ field, value }: Row) => `${field}: ${value}`)).toEqual([
      ...['stage: Met', 'status: Passed', 'nextOn: 2030-01-01', 'reason: Team', 'reasonText: Alone'],
    ])
  })

  it('lists the fields as a form shows them: the rating and then the notes last', async () => {
    const { bob, first, second } = await makePair({ name: 'Ada', rating: 2 }, { name: 'Ada Okafor', rating: 9 })
    const { body } = await preview(bob.client, first, second)
    expect(body.differences.map(({ field }: Row) => field)).toEqual(['name', 'linkedIn', 'rating', 'notes'])
  })

  it('proposes the notes of the record found first where both do not fit, and refuses both: 400', async () => {
    const { bob, first, second } = await makePair({ notes: 'x'.repeat(6_000) }, { notes: 'y'.repeat(6_000) })
    const answer = await preview(bob.client, first, second)
    expect(answer.body).toMatchObject({ notesFit: false, record: { notes: 'x'.repeat(6_000) } })
    expect(proposedIn(answer).notes).toBe('survivor')
    expect((await preview(bob.client, first, second, { notes: 'both' })).status).toBe(400)
  })

  it('has nothing to choose for a record without a rating, which takes that of the other one', async () => {
    const { bob, first, second } = await makePair({}, { rating: 9 })
    await test.db.execute(sql`update records set is_rated = false where id = ${first.id}`)
    const answer = await preview(bob.client, first, second)
    expect(proposedIn(answer)).not.toHaveProperty('rating')
    expect(answer.body.record).toMatchObject({ rating: 9, isRated: true })
  })

  it('follows the rule of merges for a fellow who may not edit both: any other choice is 403', async () => {
    const { ann, cyd, first, second } = await makePair({ name: 'Ada', rating: 2 }, { name: 'Ada Okafor', rating: 9 })
    for (const { client } of [ann, cyd]) {
      const { body } = await preview(client, second, first)
      expect(body).toMatchObject({ canChoose: false, record: { id: second.id, name: 'Ada', rating: 2 } })
      expect(await preview(client, second, first, { name: 'survivor' })).toMatchObject({
        status: 403,
        body: { fields: { name: expect.any(String) } },
      })
      expect((await preview(client, second, first, { name: 'duplicate', notes: 'both' })).status).toBe(200)
    }
  })

  it('says that such a fellow cannot merge notes that do not fit, and shows those found first', async () => {
    const { cyd, first, second } = await makePair({ notes: 'x'.repeat(6_000) }, { notes: 'y'.repeat(6_000) })
    const { body } = await preview(cyd.client, second, first)
    expect(body).toMatchObject({ canChoose: false, notesFit: false, record: { notes: 'x'.repeat(6_000) } })
  })

  it('equals the record after the merge, with the notes, finders and rights of both', { tags: 'slow' }, async () => {
    const { ann, bob, first, second } = await makePair()
    for (const content of ['One', 'Two']) await ann.client.post(`/api/notes/founder/${first.id}`, { content })
    await bob.client.post(`/api/notes/founder/${second.id}`, { content: 'Three' })
    for (const { client } of [ann, bob]) {
      const load = async ({ id }: Row): Promise<Row> => (await client.get(`${PATH}/${id}`)).body
      const [survivor, duplicate] = [await load(second), await load(first)]
      const previewed = await preview(client, survivor, duplicate)
      const choices = client === bob.client ? proposedIn(previewed) : {}
      const { body } = await merge(client, survivor, duplicate, choices)
      expect(body.record).toEqual(previewed.body.record)
      await client.post(`/api/merges/${body.mergeId}/undo`, {})
    }
  })

  it('is refused like the merge: 400, 404, and 409 with both records', { tags: 'slow' }, async () => {
    const { bob, first, second } = await makePair()
    expect((await preview(bob.client, first, first)).status).toBe(400)
    const unknown = await preview(bob.client, first, second, { creatorId: 'duplicate' })
    expect([unknown.status, unknown.body.fields]).toMatchObject([400, { choices: expect.any(String) }])
    const company = (await bob.client.post('/api/companies', { name: 'Acme', notes: 'Met' })).body
    expect((await preview(bob.client, first, company)).body.fields).toHaveProperty('duplicateId')
    const missing = { ...second, id: '00000000-0000-7000-8000-000000000000' }
    expect((await preview(bob.client, first, missing)).status).toBe(404)
    await bob.client.put(`${PATH}/${first.id}`, { rating: 9 })
    const { status, body } = await preview(bob.client, first, second)
    expect([status, body.current.map(({ id }: Row) => id)]).toEqual([409, [first.id, second.id]])
    const now = (await bob.client.get(`${PATH}/${first.id}`)).body
    await merge(bob.client, now, second)
    expect(await preview(bob.client, now, second)).toMatchObject({ status: 409, body: { mergedInto: first.id } })
  })
})
