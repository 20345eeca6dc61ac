import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import { inboxSeen, records } from '#server/db/schema.ts'
import { makeCompany, makeFounder, makeImport } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import {
  linesOf,
  mark,
  mention,
  mergeInto,
  putPipeline,
  type Reader,
  readerOf,
  sentencesOf,
  settle,
} from './test/world.ts'

// What becomes of the lines of records that were given, by one act or several.

let test: TestApp
let maya: Reader
let manager: Reader
beforeAll(async () => {
  test = await startTestApp()
  maya = await readerOf(test, { name: 'Maya' })
  manager = await readerOf(test, { name: 'Priya', role: 'manager' })
})
afterAll(() => test.close())

const reader = (name = 'Tom') => readerOf(test, { name })
const founder = async () => (await makeFounder(test.db, { creator: maya.account, name: 'Ada' })).id
const company = async () => (await makeCompany(test.db, { creator: maya.account, name: 'Acme' })).id
const give = (id: string, to: Reader | null) => putPipeline(maya, id, { responsible: to?.publicId ?? null })

/** Gives records by one act. Returns its id. */
async function giveAtOnce(ids: string[], to: Reader): Promise<string> {
  const set = { responsible: to.publicId }
  const answer = await maya.client.post('/api/records/bulk', { ids, set }, { headers: { 'idempotency-key': uuidv7() } })
  expect(answer.status).toBe(200)
  return answer.body.bulkId
}
const addressOf = async (tom: Reader) => (await linesOf(tom)).lines[0]?.address.split('?')[0]

describe('A deleted record', () => {
  it.each<[kind: string, act: (id: string, tom: Reader) => Promise<unknown>]>([
    ['mention', (id, tom) => mention(maya, id, tom)],
    ['given', give],
    ['opinion', (id, tom) => maya.client.post(`/api/records/${id}/opinions/ask`, { fellows: [tom.publicId] })],
  ])('has no line until it comes back: %s', async (kind, act) => {
    const [id, tom] = [await founder(), await reader()]
    await act(id, tom)
    const keys = async () => (await linesOf(tom)).lines.map(({ key }) => key)
    expect(await keys()).toEqual([`${kind}:${id}`])
    expect((await manager.client.delete(`/api/founders/${id}`)).status).toBe(204)
    expect(await keys()).toEqual([])
    await manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect(await keys()).toEqual([`${kind}:${id}`])
  })
})

describe('A record that was given', () => {
  it('is that into which it is merged', async () => {
    const [survivor, duplicate, tom] = [await founder(), await founder(), await reader()]
    await give(duplicate, tom)
    await mergeInto({ manager, maya }, survivor, duplicate)
    expect((await linesOf(tom)).lines.map(({ key }) => key)).toEqual([`given:${survivor}`])
  })

  it('says no name where the product has given it', async () => {
    const [id, tom] = [await founder(), await reader()]
    await test.db.update(records).set({ responsibleId: tom.account.id }).where(eq(records.id, id))
    expect(await sentencesOf(tom)).toEqual(['• You are responsible for Ada now'])
  })
})

describe('Records that were given by one act', () => {
  it('are remembered as seen in one row, however many they are', async () => {
    const tom = await reader()
    const act = await giveAtOnce([await founder(), await founder(), await founder()], tom)
    await mark(tom, 'read', { keys: [`given:${act}`] })
    const seen = await test.db.select().from(inboxSeen).where(eq(inboxSeen.accountId, tom.account.id))
    expect(seen).toMatchObject([{ kind: 'given', subject: act }])
  })

  it('are counted without those for which another is responsible now', async () => {
    const [tom, other, ids] = [await reader(), await reader('Other'), [await founder(), await founder()]]
    await giveAtOnce(ids, tom)
    await give(ids[0] ?? '', other)
    expect(await sentencesOf(tom)).toEqual(['• Maya made you responsible for 1 record'])
  })

  it('are all counted while an import still gives more, also those that were seen', async () => {
    const tom = await reader()
    const { id } = await makeImport(test.db, { importer: maya.account })
    const giveOne = async () => {
      const record = await founder()
      await withActor(test.db, maya.account, async (tx) => {
        await beginAct(tx, maya.account, importAct(id))
        await tx.update(records).set({ responsibleId: tom.account.id }).where(eq(records.id, record))
      })
    }
    await giveOne()
    const [line] = (await linesOf(tom)).lines
    await mark(tom, 'read', { keys: [line?.key] })
    await settle()
    await giveOne()
    expect(await sentencesOf(tom)).toEqual(['• Maya made you responsible for 2 records'])
  })

  it('open in the list of the kind of most of them that are still there', async () => {
    const [tom, other] = [await reader(), await reader('Other')]
    const [ada, acme, beta] = [await founder(), await company(), await company()]
    await giveAtOnce([ada, acme, beta], tom)
    expect(await addressOf(tom)).toBe('/companies')
    await give(acme, other)
    expect(await addressOf(tom)).toBe('/founders')
    await give(acme, tom)
    const more = await reader()
    const [bob, ...gone] = [await founder(), await company(), await company()]
    await giveAtOnce([bob, ...gone], more)
    for (const id of gone) expect((await manager.client.delete(`/api/companies/${id}`)).status).toBe(204)
    expect(await addressOf(more)).toBe('/founders')
  })

  it('open in the list of those into which they were merged', async () => {
    const [tom, survivor] = [await reader(), await company()]
    const ids = [await founder(), await company(), await company()]
    await giveAtOnce(ids, tom)
    await mergeInto({ manager, maya }, survivor, ids[1] ?? '', 'companies')
    expect(await addressOf(tom)).toBe('/companies')
  })

  it('are one’s own, of an import that gave others to another fellow, from whom they came later', async () => {
    const [tom, other] = [await reader(), await reader('Other')]
    const [ada, acme, beta] = [await founder(), await company(), await company()]
    const { id } = await makeImport(test.db, { importer: maya.account })
    await withActor(test.db, maya.account, async (tx) => {
      await beginAct(tx, maya.account, importAct(id))
      const to = (record: string, { account }: Reader) =>
        tx.update(records).set({ responsibleId: account.id }).where(eq(records.id, record))
      await to(ada, tom)
      for (const one of [acme, beta]) await to(one, other)
    })
    expect(await addressOf(tom)).toBe('/founders')
    for (const one of [acme, beta]) await give(one, tom)
    const { lines } = await linesOf(tom)
    expect(lines.find(({ record }) => record === null)?.address).toMatch(/^\/founders\?/)
  })
})
