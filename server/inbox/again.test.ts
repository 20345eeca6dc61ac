import { eq, sql } from 'drizzle-orm'
import { NIL, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { accounts, passings, records } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { startOfDay, today } from '#server/records/days.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { linesOf, mark, mergeInto, pass, putPipeline, type Reader, readerOf, sentencesOf, TODAY } from './test/world.ts'

// Who has passed a record, when, and what has come since: what a line to look again says.

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
const passedAt = (id: string, at: string) =>
  test.db
    .update(passings)
    .set({ passedAt: new Date(at) })
    .where(eq(passings.recordId, id))
const keysOf = async (tom: Reader) => (await linesOf(tom)).lines.map(({ key }) => key)

describe('Who passed a record is', () => {
  it('still that one when another fellow changes its day, or writes the same status', async () => {
    const [id, tom] = [await founder(), await reader()]
    await pass(tom, id, '2199-01-01')
    await pass(maya, id, TODAY)
    await withActor(test.db, maya.account, (tx) =>
      tx.update(records).set({ status: 'passed' }).where(eq(records.id, id)),
    )
    expect([await keysOf(tom), await keysOf(maya)]).toEqual([[`again:${id}`], []])
  })

  it('who passed it last, when it was active between', async () => {
    const [id, tom, ann] = [await founder(), await reader(), await reader('Ann')]
    await pass(tom, id, TODAY)
    await putPipeline(maya, id, { status: 'active' })
    await pass(ann, id, TODAY)
    expect([await keysOf(tom), await keysOf(ann)]).toEqual([[], [`again:${id}`]])
  })

  it('who imports it as passed', async () => {
    const [id, tom] = [uuidv7(), await reader()]
    const reasons = (await tom.client.get('/api/passing-reasons')).body
    const fields = { name: 'Grace', notes: 'Met', rating: 5, linkedIn: '' }
    const pipeline = { status: 'passed' as const, passingReasonId: reasons[0].id, lookAgainOn: TODAY }
    await withActor(test.db, tom.account, (tx) =>
      insertRecords(tx, founderKind, [
        { id, info: null, isImported: true, creatorId: tom.account.id, fields, pipeline },
      ]),
    )
    expect(await keysOf(tom)).toEqual([`again:${id}`])
  })

  it('no one where the product passed it, which its responsible fellow reads', async () => {
    const [id, tom] = [await founder(), await reader()]
    await putPipeline(tom, id, { responsible: tom.publicId })
    const [reason] = (await tom.client.get('/api/passing-reasons')).body
    await test.db
      .update(records)
      .set({ status: 'passed', passingReasonId: reason.id, lookAgainOn: TODAY })
      .where(eq(records.id, id))
    expect(await sentencesOf(tom)).toEqual([`Ada was passed: ${reason.name}`])
  })

  it('of several that are merged that of the record itself, else the last one', async () => {
    const [tom, ann] = [await reader(), await reader('Ann')]
    const [own, merged] = [await founder(), await founder()]
    await pass(tom, own, TODAY)
    await pass(ann, merged, TODAY)
    await mergeInto({ manager, maya }, own, merged)
    expect([await keysOf(tom), await keysOf(ann)]).toEqual([[`again:${own}`], []])
    const [survivor, first, last] = [await founder(), await founder(), await founder()]
    await pass(tom, last, TODAY)
    await pass(ann, first, TODAY)
    await passedAt(first, '2026-01-01T00:00:00Z')
    for (const duplicate of [first, last]) await mergeInto({ manager, maya }, survivor, duplicate)
    expect([await keysOf(tom), await keysOf(ann)]).toEqual([[`again:${survivor}`, `again:${own}`], []])
  })
})

describe('A record to look at again', () => {
  it('is no line while it is deleted', async () => {
    const [id, tom] = [await founder(), await reader()]
    await pass(tom, id, TODAY)
    await maya.client.delete(`/api/founders/${id}`)
    expect(await keysOf(tom)).toEqual([])
    await manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect(await keysOf(tom)).toEqual([`again:${id}`])
  })

  it.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns'])(
    'comes at the beginning of its day in %s, and opens what was done',
    async (timeZone) => {
      const [id, tom] = [await founder(), await reader()]
      await test.db
        .update(accounts)
        .set({ inboxSince: new Date(0) })
        .where(eq(accounts.id, tom.account.id))
      const day = today(timeZone)
      await pass(tom, id, day)
      await passedAt(id, '2026-01-01T00:00:00Z')
      const lines = async () => (await tom.client.get(`/api/inbox?timeZone=${timeZone}`)).body
      const at = startOfDay(day, timeZone).toISOString()
      expect(await lines()).toMatchObject([{ key: `again:${id}`, lastAt: at }])
      await mark(tom, 'done', { keys: [`again:${id}`] })
      await test.db.execute(
        sql`update inbox_seen set done_until = ${at}::timestamptz - interval '1 second' where account_id = ${tom.account.id}`,
      )
      expect(await lines()).toMatchObject([{ key: `again:${id}`, isRead: false }])
    },
  )

  it('says the month and the year of the reader, what has come since, and of two titles the newest', async () => {
    const [id, tom] = [await founder(), await reader()]
    const title = async (name: string) => {
      const { version } = (await maya.client.get(`/api/founders/${id}`)).body
      expect((await maya.client.patch(`/api/founders/${id}`, { title: name, version })).status).toBe(200)
    }
    const note = () => maya.client.post(`/api/notes/founder/${id}`, { content: 'Called' })
    await title('Before')
    await note()
    await pass(tom, id, TODAY)
    expect(await sentencesOf(tom)).toMatchObject([expect.stringMatching(/: Too early$/)])
    await title('CTO')
    await title('CEO')
    await note()
    expect(await sentencesOf(tom)).toMatchObject([
      expect.stringMatching(/: Too early\. Since then 1 note, new title CEO$/),
    ])
    await passedAt(id, '2025-01-31T23:30:00Z')
    const sentencesIn = async (zone: string) =>
      (await tom.client.get(`/api/inbox?timeZone=${zone}`)).body.map(({ sentence }: { sentence: string }) => sentence)
    expect(await sentencesIn('UTC')).toEqual([expect.stringContaining('You passed Ada in January 2025: ')])
    expect(await sentencesIn('Pacific/Kiritimati')).toEqual([
      expect.stringContaining('You passed Ada in February 2025: '),
    ])
  })
})

it('Those who wait for approval are one number, also of those that were seen, without those who are disabled', async () => {
  const chief = await readerOf(test, { name: 'Chief', role: 'manager' })
  const wait = async () => {
    const { account } = await reader('Waiting')
    await test.db.update(accounts).set({ pendingSince: sql`clock_timestamp()` }).where(eq(accounts.id, account.id))
    return account.id
  }
  const first = await wait()
  expect(await sentencesOf(chief)).toEqual(['• 1 person waits for approval'])
  await mark(chief, 'read', { keys: [`approval:${NIL}`] })
  await wait()
  expect(await sentencesOf(chief)).toEqual(['• 2 people wait for approval'])
  await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, first))
  expect(await sentencesOf(chief)).toEqual(['• 1 person waits for approval'])
})
