import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxLine } from '#contract/inbox.ts'
import { LOOKED_AT_MAX } from '#contract/limits.ts'
import { kinds } from '#server/kinds.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { countOf, linesOf, mark, type Reader, readerOf, sentencesOf, settle } from '../test/world.ts'

let test: TestApp
let maya: Reader
beforeAll(async () => {
  test = await startTestApp()
  maya = await readerOf(test, { name: 'Maya' })
})
afterAll(() => test.close())

const NEWS = { group: 'news' } as const
const founder = async (rating = 8) => (await makeFounder(test.db, { creator: maya.account, rating })).id
const note = (id: string) => maya.client.post(`/api/notes/founder/${id}`, { content: 'Called' })

/** A fellow who watches a search, and its id. */
async function watcher(name: string, query = 'ratingMin=8'): Promise<{ tom: Reader; id: string }> {
  const tom = await readerOf(test, { name: 'Tom' })
  await settle()
  const { body } = await tom.client.post('/api/searches', { name, kind: 'founder', query })
  await tom.client.put(`/api/searches/${body.id}/watch`, { isWatched: true })
  await settle()
  return { tom, id: body.id }
}
const line = async (tom: Reader): Promise<InboxLine | undefined> => {
  await settle()
  return (await linesOf(tom, NEWS)).lines[0]
}
const idsAt = async (tom: Reader, address = '') => {
  const { status, body } = await tom.client.get(`/api${address.replace(/saved=[^&]*&?/, '')}`)
  expect(status).toBe(200)
  return body.map(({ id }: { id: string }) => id)
}

describe('A watched search', () => {
  it('is a line of news that says “1 new, 1 changed in Berlin” and opens exactly those', async () => {
    const known = await founder()
    const { tom, id } = await watcher('Berlin')
    expect(await line(tom)).toBeUndefined()
    const added = await founder()
    await founder(3)
    await note(known)
    const found = await line(tom)
    expect(found).toMatchObject({
      ...{ key: `search:${id}`, group: 'news', record: null, by: null, count: 2, isRead: false, doneAt: null },
      sentence: '1 new, 1 changed in Berlin',
    })
    expect(found?.address).toMatch(new RegExp(`^/founders\\?ratingMin=8&saved=${id}&cohort=`))
    expect((await idsAt(tom, found?.address)).toSorted()).toEqual([known, added].toSorted())
    expect(await sentencesOf(maya, NEWS)).toEqual([])
  })

  it('that was read in the inbox has no number in the row of searches, until it is unread again', async () => {
    const { tom, id } = await watcher('Berlin')
    await founder()
    const { key } = (await line(tom)) as InboxLine
    const numberOf = async () => {
      const { body } = await tom.client.get('/api/searches')
      return body.find((search: { id: string }) => search.id === id).news.new.count
    }
    expect(await numberOf()).toBe(1)
    await mark(tom, 'read', { keys: [key] }, NEWS)
    expect([await numberOf(), (await line(tom))?.isRead]).toEqual([0, true])
    expect((await tom.client.get(`/api/searches/${id}/new`)).body).toEqual([])
    await mark(tom, 'unread', { keys: [key] }, NEWS)
    expect(await numberOf()).toBe(1)
  })

  it('is not in the numbers that every page asks for', async () => {
    const { tom } = await watcher('Not counted')
    await founder()
    expect(await line(tom)).toBeDefined()
    expect(await countOf(tom)).toEqual({ you: 0, news: false })
  })

  it('is read, done and open again as other lines, and counts from what was done on', async () => {
    const { tom, id } = await watcher('Marked')
    const keys = { keys: [`search:${id}`] }
    await founder()
    await mark(tom, 'read', keys, NEWS)
    expect(await line(tom)).toMatchObject({ isRead: true, sentence: '1 new in Marked' })
    const until = await mark(tom, 'done', keys, NEWS)
    expect(await line(tom)).toBeUndefined()
    expect((await linesOf(tom, { ...NEWS, state: 'done' })).lines).toMatchObject([
      { sentence: '1 new in Marked', doneAt: until },
    ])
    const second = await founder()
    const found = await line(tom)
    expect(found).toMatchObject({ isRead: false, sentence: '1 new in Marked' })
    expect(await idsAt(tom, found?.address)).toEqual([second])
    await mark(tom, 'reopen', keys, NEWS)
    expect(await line(tom)).toMatchObject({ sentence: '1 new in Marked' })
    await mark(tom, 'unread', keys, NEWS)
    expect(await line(tom)).toMatchObject({ sentence: '2 new in Marked' })
  })

  it('counts what is unread, as the row of searches does', async () => {
    const { tom, id } = await watcher('Unread')
    await founder()
    await line(tom)
    await mark(tom, 'read', { keys: [`search:${id}`] }, NEWS)
    const second = await founder()
    const found = await line(tom)
    expect(found).toMatchObject({ isRead: false, sentence: '1 new in Unread', count: 1 })
    expect(await idsAt(tom, found?.address)).toEqual([second])
  })

  it('is no line once its numbers are cleared, it is not watched, or it is not shared any more', async () => {
    const { tom, id } = await watcher('Cleared')
    await founder()
    expect(await line(tom)).toBeDefined()
    const { until } = await linesOf(tom, NEWS)
    await tom.client.post(`/api/searches/${id}/seen`, { until })
    expect(await line(tom)).toBeUndefined()
    await founder()
    expect(await line(tom)).toBeDefined()
    await tom.client.put(`/api/searches/${id}/watch`, { isWatched: false })
    expect(await line(tom)).toBeUndefined()

    const { body } = await maya.client.post('/api/searches', {
      name: 'Shared',
      kind: 'founder',
      query: '',
      isShared: true,
    })
    await tom.client.put(`/api/searches/${body.id}/watch`, { isWatched: true })
    await settle()
    await founder()
    expect(await line(tom)).toMatchObject({ sentence: '1 new in Shared' })
    await maya.client.patch(`/api/searches/${body.id}`, { isShared: false })
    expect(await line(tom)).toBeUndefined()
  })

  it('says “Many changes in Crowd” beyond 1,000, opens the list, and can be done', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { tom, id } = await watcher('Crowd')
    const rows = Array.from({ length: LOOKED_AT_MAX + 1 }, () => ({
      ...{ id: uuidv7(), info: null, isImported: false, creatorId: maya.account.id },
      fields: { name: 'Crowd', notes: 'n', rating: 5, linkedIn: '' },
    }))
    await insertRecords(test.db, kinds[0] as (typeof kinds)[number], rows)
    const found = await line(tom)
    expect(found).toMatchObject({ sentence: 'Many changes in Crowd', address: `/founders?ratingMin=8&saved=${id}` })
    await mark(tom, 'done', { keys: [`search:${id}`] }, NEWS)
    expect(await line(tom)).toBeUndefined()
  })
})
