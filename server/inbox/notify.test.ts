import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disable } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { founderKind } from '#server/founders/kind.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { mark, mention, pass, putPipeline, type Reader, readerOf, TODAY } from './test/world.ts'

let test: TestApp
let stop: () => unknown
let maya: Reader
let tom: Reader
let ann: Reader
const heard: string[] = []
beforeAll(async () => {
  test = await startTestApp()
  ;[maya, tom, ann] = [
    await readerOf(test, { name: 'Maya' }),
    await readerOf(test, { name: 'Tom' }),
    await readerOf(test, { name: 'Ann' }),
  ]
  stop = await test.database.listen({ inbox: (account) => heard.push(account) }, () => {})
})
afterAll(async () => {
  await stop()
  await test.close()
})

const founder = async () => (await makeFounder(test.db, { creator: maya.account, name: 'Ada' })).id

/** The names of the fellows whose streams an act notifies. */
async function notifiedBy(act: () => Promise<unknown>): Promise<string[]> {
  // Notices come in the order of commits.
  const fence = async () => {
    const name = uuidv7()
    await test.db.execute(sql`select pg_notify('inbox', ${name})`)
    await expect.poll(() => heard.includes(name)).toBe(true)
    return heard.indexOf(name)
  }
  const from = await fence()
  const answer = (await act()) as { status?: number; body?: { error?: string } } | undefined
  expect(answer?.body?.error).toBe(undefined)
  const ids = new Set(heard.slice(from + 1, await fence()))
  const nameOf = (id: string) => [maya, tom, ann].find(({ account }) => account.id === id)?.name ?? id
  return [...ids].map(nameOf).toSorted()
}

describe('The streams that an act notifies are those of whom it concerns:', () => {
  it('a mention, and the end of its note, the one who was named', async () => {
    const id = await founder()
    let note = ''
    const added = await notifiedBy(async () => {
      const answer = await mention(maya, id, tom)
      note = answer.body.note.id
      return answer
    })
    const deleted = await notifiedBy(() => maya.client.delete(`/api/notes/founder/${id}/${note}`))
    expect([added, deleted]).toEqual([['Tom'], ['Tom']])
  })

  it('an opinion that is asked for, and given and taken back, the one who was asked', async () => {
    const id = await founder()
    const ask = () => maya.client.post(`/api/records/${id}/opinions/ask`, { fellows: [tom.publicId] })
    expect(await notifiedBy(ask)).toEqual(['Tom'])
    expect(await notifiedBy(() => tom.client.put(`/api/records/${id}/opinion`, { rating: 5 }))).toEqual(['Tom'])
    expect(await notifiedBy(() => tom.client.delete(`/api/records/${id}/opinion`))).toEqual(['Tom'])
  })

  it('the asks of a fellow who is disabled, those who were asked', async () => {
    const leaver = await readerOf(test, { name: 'Leaver' })
    await leaver.client.post(`/api/records/${await founder()}/opinions/ask`, { fellows: [tom.publicId] })
    const account = (await findAccount(test.db, leaver.account.email)) as KnownAccount
    expect(await notifiedBy(() => disable(test.db, account, 'operator'))).toEqual(['Tom'])
  })

  it('responsibility, the fellows before and after', async () => {
    const id = await founder()
    const give = (to: Reader | null) => () => putPipeline(maya, id, { responsible: to?.publicId ?? null })
    expect(await notifiedBy(give(tom))).toEqual(['Tom'])
    expect(await notifiedBy(give(ann))).toEqual(['Ann', 'Tom'])
    expect(await notifiedBy(give(null))).toEqual(['Ann'])
    expect(await notifiedBy(give(tom))).toEqual(['Tom'])
  })

  it('a record that an import adds for a fellow, that one', async () => {
    const fields = { name: 'Grace', notes: 'Met', rating: 5, linkedIn: '' }
    const row = { id: uuidv7(), info: null, isImported: true, creatorId: maya.account.id, fields }
    const add = () => insertRecords(test.db, founderKind, [{ ...row, pipeline: { responsibleId: tom.account.id } }])
    expect(await notifiedBy(add)).toEqual(['Tom'])
  })

  it('another day to look again, who passed the record and its responsible fellow', async () => {
    const id = await founder()
    await putPipeline(maya, id, { responsible: tom.publicId })
    await pass(ann, id, TODAY)
    expect(await notifiedBy(() => putPipeline(maya, id, { lookAgainOn: '2199-01-01' }))).toEqual(['Ann', 'Tom'])
    expect(await notifiedBy(() => putPipeline(maya, id, { nextStep: 'Call' }))).toEqual([])
  })

  it.each(['read', 'unread', 'done', 'reopen'])('a mark, one’s own other devices: %s', async (as) => {
    const id = await founder()
    await mention(maya, id, tom)
    if (as === 'unread') await mark(tom, 'read', { record: id })
    if (as === 'reopen') await mark(tom, 'done', { record: id })
    expect(await notifiedBy(() => mark(tom, as, { record: id }))).toEqual(['Tom'])
  })
})
