import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder, makeImport } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import {
  countOf,
  linesOf,
  mark,
  mention,
  mergeInto,
  pass,
  putPipeline,
  type Reader,
  readerOf,
  sentencesOf,
  settle,
  TODAY,
} from './test/world.ts'

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
const founder = async (by = maya, name = 'Ada') => (await makeFounder(test.db, { creator: by.account, name })).id
const ask = (by: Reader, id: string, ...fellows: Reader[]) =>
  by.client.post(`/api/records/${id}/opinions/ask`, { fellows: fellows.map(({ publicId }) => publicId) })
const note = (by: Reader, id: string) => by.client.post(`/api/notes/founder/${id}`, { content: 'Called' })
const loaded = async (id: string) => (await maya.client.get(`/api/founders/${id}`)).body
const bulk = (by: Reader, ids: string[], set: object) =>
  by.client.post('/api/records/bulk', { ids, set }, { headers: { 'idempotency-key': uuidv7() } })

describe('The lines for a fellow', () => {
  it.each<[kind: string, act: (id: string, tom: Reader) => Promise<unknown>, sentence: string]>([
    ['mention', (id, tom) => mention(maya, id, tom), 'Maya mentioned you in a note on Ada'],
    ['given', (id, tom) => putPipeline(maya, id, { responsible: tom.publicId }), 'Maya made you responsible for Ada'],
    ['opinion', (id, tom) => ask(maya, id, tom), 'Maya asks for your opinion on Ada'],
  ])('%s: who, what, which record, unread until it is read', async (kind, act, sentence) => {
    const [id, tom, other] = [await founder(), await reader(), await reader('Other')]
    await act(id, tom)
    const { lines } = await linesOf(tom)
    expect(lines).toEqual([
      {
        ...{ key: `${kind}:${id}`, group: 'you', kind, record: { id, kind: 'founder', name: 'Ada' } },
        ...{ by: { id: maya.publicId, name: 'Maya' }, count: 1, sentence, address: `/founders/${id}` },
        ...{ lastAt: expect.any(String), isRead: false, doneAt: null },
      },
    ])
    expect(await countOf(tom)).toMatchObject({ you: 1 })
    for (const who of [other, maya, manager]) expect((await linesOf(who)).lines).toEqual([])
    await mark(tom, 'read', { record: id })
    expect([await sentencesOf(tom), await countOf(tom)]).toEqual([[sentence], { you: 0, news: false }])
  })

  it('have names as they are now, and never the text of a note', async () => {
    const [id, tom, nina] = [await founder(), await reader(), await reader('Nina Old')]
    await mention(nina, id, tom)
    await nina.client.patch('/api/account', { name: 'Nina New' })
    const { client } = tom
    expect(await sentencesOf(tom)).toEqual(['• Nina New mentioned you in a note on Ada'])
    expect((await client.get('/api/inbox')).text).not.toContain('@')
  })

  it('unite several mentions on a record in one line', async () => {
    const [id, tom] = [await founder(), await reader()]
    for (const by of [maya, manager, maya]) await mention(by, id, tom)
    expect(await sentencesOf(tom)).toEqual(['• 3 notes on Ada mention you, the last by Maya'])
    await mark(tom, 'read', { keys: [`mention:${id}`] })
    await mention(manager, id, tom)
    expect(await sentencesOf(tom)).toEqual(['• Priya mentioned you in a note on Ada'])
  })

  it('have none of own acts', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(tom, id, tom)
    await putPipeline(tom, id, { responsible: tom.publicId })
    await ask(tom, id, tom)
    expect([await sentencesOf(tom), await sentencesOf(tom, { group: 'news' })]).toEqual([[], []])
  })

  it('ask for an opinion until there is one, by the asked on the record, also where it was merged', async () => {
    const [id, survivor, tom] = [await founder(), await founder(), await reader()]
    await ask(maya, id, tom)
    await maya.client.put(`/api/records/${id}/opinion`, { rating: 7 })
    await tom.client.put(`/api/records/${await founder()}/opinion`, { rating: 7 })
    await mergeInto({ manager, maya }, survivor, id)
    expect((await linesOf(tom)).lines.map(({ key }) => key)).toEqual([`opinion:${survivor}`])
    await tom.client.put(`/api/records/${survivor}/opinion`, { rating: 7 })
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('ask for no opinion that was given before', async () => {
    const [id, tom] = [await founder(), await reader()]
    await ask(maya, id, tom)
    await tom.client.put(`/api/records/${id}/opinion`, { rating: 7 })
    expect(await sentencesOf(tom)).toEqual([])
    await ask(maya, id, tom)
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('have a record that was given as long as one is responsible', async () => {
    const [id, tom] = [await founder(), await reader()]
    await putPipeline(maya, id, { responsible: tom.publicId })
    await putPipeline(maya, id, { responsible: null })
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('are one for all who wait for approval, without names, for managers alone', async () => {
    const chief = await readerOf(test, { name: 'Chief', role: 'manager' })
    const waiting = [await reader('Waiting One'), await reader('Waiting Two')]
    for (const [index, { account }] of waiting.entries()) {
      await test.db.update(accounts).set({ pendingSince: sql`clock_timestamp()` }).where(eq(accounts.id, account.id))
      const { lines } = await linesOf(chief)
      expect(lines.map(({ kind, sentence, by, record, address }) => [kind, sentence, by, record, address])).toEqual([
        [
          ...['approval', index === 0 ? '1 person waits for approval' : '2 people wait for approval'],
          ...[null, null, '/programme'],
        ],
      ])
    }
    expect(await sentencesOf(maya)).toEqual([])
    await test.db.update(accounts).set({ role: 'fellow' }).where(eq(accounts.id, chief.account.id))
    expect(await sentencesOf(chief)).toEqual([])
    await test.db.update(accounts).set({ pendingSince: null })
    await test.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, chief.account.id))
    expect(await sentencesOf(chief)).toEqual([])
  })
})

describe('A passed record whose day to look again has come', () => {
  it('is a line for who passed it and for its responsible fellow, with what has happened since', async () => {
    const [id, tom, other] = [await founder(), await reader(), await reader('Other')]
    await putPipeline(maya, id, { responsible: tom.publicId })
    await mark(tom, 'done', { record: id })
    await pass(maya, id, TODAY)
    await settle()
    const month = new Date().toLocaleDateString('en', { timeZone: 'UTC', month: 'long' })
    expect(await sentencesOf(maya)).toEqual([`• You passed Ada in ${month}: Too early`])
    expect(await sentencesOf(tom)).toEqual([`• Maya passed Ada in ${month}: Too early`])
    expect(await sentencesOf(other)).toEqual([])
    for (const by of [tom, other]) await note(by, id)
    const { version } = await loaded(id)
    await maya.client.patch(`/api/founders/${id}`, { title: 'CEO', version })
    expect(await sentencesOf(maya)).toEqual([
      `• You passed Ada in ${month}: Too early. Since then 2 notes, new title CEO`,
    ])
  })

  it('is none before its day, and none once it is active again or passed for good', async () => {
    const tom = await reader()
    const [later, active, good] = [await founder(tom), await founder(tom), await founder(tom)]
    await pass(tom, later, '2199-01-01')
    for (const id of [active, good]) await pass(tom, id, TODAY)
    expect(await sentencesOf(tom)).toHaveLength(2)
    await putPipeline(maya, active, { status: 'active' })
    await putPipeline(maya, good, { lookAgainOn: null })
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('comes on the day of the reader', async () => {
    const [id, tom] = [await founder(), await reader()]
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv', { timeZone }).format(new Date())
    // One of both has another day than UTC at any time.
    const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    await pass(tom, id, dayIn(early))
    const linesIn = async (zone: string) => (await tom.client.get(`/api/inbox?timeZone=${zone}`)).body.length
    expect([await linesIn(early), await linesIn(late)]).toEqual([1, dayIn(late) === dayIn(early) ? 1 : 0])
  })

  it('stays with who passed it when it is merged into another record, and after the undo', async () => {
    const tom = await reader()
    const [survivor, duplicate] = [await founder(), await founder()]
    await pass(tom, duplicate, TODAY)
    const mergeId = await mergeInto({ manager, maya }, survivor, duplicate)
    expect((await linesOf(tom)).lines).toMatchObject([{ key: `again:${survivor}` }])
    expect((await linesOf(manager)).lines).toEqual([])
    await undo(manager.client, mergeId)
    expect((await linesOf(tom)).lines).toMatchObject([{ key: `again:${duplicate}` }])
  })
})

describe('Responsibility by one act for many records', () => {
  it('marks nothing of a record that an import has brought, which its importer does not follow', async () => {
    const tom = await reader()
    const { id } = await makeFounder(test.db, { creator: tom.account, name: 'Ada' })
    await test.db.update(records).set({ isImported: true }).where(eq(records.id, id))
    await note(maya, id)
    await mark(tom, 'read', { record: id }, { group: 'news' })
    await mark(tom, 'done', { until: new Date().toISOString() }, { group: 'news' })
    expect(await rowsOf(test.db, sql`select * from inbox_seen where account_id = ${tom.account.id}`)).toEqual([])
  })

  it('is one line with a count and a link to exactly those records, and none once it is undone', async () => {
    const [tom, ids] = [await reader(), [await founder(), await founder(), await founder()]]
    const { body } = await bulk(maya, ids, { responsible: tom.publicId })
    const { lines } = await linesOf(tom)
    expect(lines).toMatchObject([
      { key: `given:${body.bulkId}`, count: 3, record: null, sentence: 'Maya made you responsible for 3 records' },
    ])
    const listed = await tom.client.get(`/api${lines[0]?.address}`)
    expect(listed.body.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
    await mark(tom, 'read', { keys: [`given:${body.bulkId}`] })
    expect(await countOf(tom)).toEqual({ you: 0, news: false })
    await maya.client.post(`/api/records/bulk/${body.bulkId}/undo`, {})
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('gives back by its undo without a new line', async () => {
    const [tom, other, id] = [await reader(), await reader('Other'), await founder()]
    await putPipeline(maya, id, { responsible: tom.publicId })
    await mark(tom, 'done', { record: id })
    const { body } = await bulk(maya, [id, await founder()], { responsible: other.publicId })
    await maya.client.post(`/api/records/bulk/${body.bulkId}/undo`, {})
    expect([await sentencesOf(tom), await sentencesOf(other)]).toEqual([[], []])
  })

  it('is one line of a hand-over, and of an import', async () => {
    const [leaver, tom] = [await reader('Leaver'), await reader()]
    const ids = [await founder(leaver), await founder(leaver)]
    const leave = await manager.client.post('/api/programme/people/leave', {
      ...{ ids: [leaver.publicId], responsible: tom.publicId },
    })
    expect([leave.status, leave.body.error]).toEqual([200, undefined])
    expect(await sentencesOf(tom)).toEqual([`• Priya made you responsible for ${ids.length} records`])
    const { id: importId } = await makeImport(test.db, { importer: maya.account })
    const imported = [await founder(), await founder(), await founder()]
    await withActor(test.db, maya.account, async (tx) => {
      await beginAct(tx, maya.account, importAct(importId))
      for (const id of imported) {
        await tx.update(records).set({ responsibleId: tom.account.id }).where(eq(records.id, id))
      }
    })
    expect((await sentencesOf(tom))[0]).toBe('• Maya made you responsible for 3 records')
  })

  it('makes no follower until one acts on the record', async () => {
    const [tom, ids] = [await reader(), [await founder(), await founder()]]
    const [acted = '', other = ''] = ids
    await bulk(maya, ids, { responsible: tom.publicId })
    for (const id of ids) await note(maya, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual([])
    await putPipeline(tom, acted, { nextStep: 'Call' })
    await settle()
    for (const id of [acted, other]) await note(manager, id)
    expect((await linesOf(tom, { group: 'news' })).lines.map(({ key }) => key)).toEqual([`followed:${acted}`])
  })
})

describe('News', () => {
  /** A record to which the reader has this tie, and something by another after that. */
  it.each<[tie: string, make: (tom: Reader) => Promise<string>]>([
    ['found it by hand', async (tom) => (await makeFounder(test.db, { creator: tom.account, name: 'Ada' })).id],
    [
      'met it too',
      async (tom) => {
        const id = await founder()
        expect((await tom.client.post(`/api/records/${id}/finders`, {})).status).toBeLessThan(300)
        return id
      },
    ],
    [
      'is responsible for it',
      async (tom) => {
        const id = await founder()
        await putPipeline(maya, id, { responsible: tom.publicId })
        return id
      },
    ],
    [
      'wrote a note',
      async (tom) => {
        const id = await founder()
        await note(tom, id)
        return id
      },
    ],
    [
      'gave an opinion',
      async (tom) => {
        const id = await founder()
        await tom.client.put(`/api/records/${id}/opinion`, { rating: 7 })
        return id
      },
    ],
    [
      'was named',
      async (tom) => {
        const id = await founder()
        await mention(maya, id, tom)
        return id
      },
    ],
    [
      'has chosen to follow it',
      async (tom) => {
        const id = await founder()
        await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
        return id
      },
    ],
  ])('come to who %s, are hidden by a mute, and are not for others', async (_tie, make) => {
    const [tom, other] = [await reader(), await reader('Other')]
    const id = await make(tom)
    expect(await countOf(tom)).toMatchObject({ news: false })
    await settle()
    await note(maya, id)
    expect([await sentencesOf(tom, { group: 'news' }), (await countOf(tom)).news]).toEqual([
      ['• Maya added a note on Ada'],
      true,
    ])
    expect(await sentencesOf(other, { group: 'news' })).toEqual([])
    await note(manager, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual(['• 2 new notes on Ada, the last by Priya'])
    await tom.client.put(`/api/records/${id}/follow`, { state: 'mute' })
    expect([await sentencesOf(tom, { group: 'news' }), (await countOf(tom)).news]).toEqual([[], false])
    await tom.client.put(`/api/records/${id}/follow`, { state: 'none' })
    await mark(tom, 'read', { record: id })
    expect((await countOf(tom)).news).toBe(false)
  })

  it('were seen before the tie, and by an own act', async () => {
    const [tom, id] = [await reader(), await founder()]
    await note(maya, id)
    await note(tom, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual([])
    await settle()
    await note(maya, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual(['• Maya added a note on Ada'])
    await settle()
    await note(tom, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual([])
    await settle()
    await note(maya, id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual(['• Maya added a note on Ada'])
  })

  it.each<[act: string, run: (id: string) => Promise<unknown>, sentence: RegExp]>([
    [
      'a stage',
      async (id) => {
        const stages = (await maya.client.get('/api/stages')).body
        await putPipeline(maya, id, { stage: stages[1].id })
      },
      /^• Maya moved Ada to \S/,
    ],
    [
      'a merge',
      async (id) => mergeInto({ manager, maya }, id, await founder()),
      /^• Priya merged another record into Ada$/,
    ],
    [
      'a correction',
      async (id) => {
        const { version } = await loaded(id)
        await maya.client.patch(`/api/founders/${id}`, { title: 'CTO', version })
      },
      /^• Maya changed Ada$/,
    ],
    ['a finder', (id) => manager.client.post(`/api/records/${id}/finders`, {}), /^• Priya changed Ada$/],
  ])('tell of %s', async (_act, run, sentence) => {
    const [tom, id] = [await reader(), await founder()]
    await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    await settle()
    await run(id)
    expect(await sentencesOf(tom, { group: 'news' })).toEqual([expect.stringMatching(sentence)])
  })

  it('say of a decision what only blind opinions can, to who gave one', async () => {
    const [id, tom, watcher] = [await founder(), await reader(), await reader('Watcher')]
    await watcher.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    for (const [who, rating] of [
      [tom, 8],
      [maya, 6],
      [manager, 4],
    ] as const) {
      await who.client.put(`/api/records/${id}/opinion`, { rating })
    }
    await settle()
    await putPipeline(manager, id, { status: 'advanced' })
    expect(await sentencesOf(tom, { group: 'news' })).toEqual(['• Ada advanced. You said 8, the median was 6.'])
    expect(await sentencesOf(watcher, { group: 'news' })).toEqual(['• Ada advanced.'])
  })

  it('have no line about opinions', async () => {
    const [id, tom] = [await founder(), await reader()]
    await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    await settle()
    await maya.client.put(`/api/records/${id}/opinion`, { rating: 6 })
    await manager.client.post(`/api/records/${id}/opinions/reveal`, {})
    expect([await sentencesOf(tom), await sentencesOf(tom, { group: 'news' })]).toEqual([[], []])
  })
})

describe('News of an act on many records', () => {
  /** Records that a reader follows, all seen. */
  async function followedBy(tom: Reader, count: number): Promise<string[]> {
    const ids = await Promise.all(Array.from({ length: count }, () => founder()))
    for (const id of ids) await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    await settle()
    return ids
  }
  const news = (tom: Reader) => sentencesOf(tom, { group: 'news' })
  const passing = async () => ({
    ...{ status: 'passed', reason: { id: (await maya.client.get('/api/passing-reasons')).body[0].id } },
  })

  it('is one line with the number of those one follows, and a link to exactly those', async () => {
    const [tom, other] = [await reader(), await reader('Other')]
    const ids = await followedBy(tom, 3)
    const { body } = await bulk(maya, [...ids, await founder()], { responsible: other.publicId })
    const { lines } = await linesOf(tom, { group: 'news' })
    const key = `many:${body.bulkId}`
    expect(lines).toMatchObject([{ key, count: 3, record: null, isRead: false, sentence: 'Maya changed 3 records' }])
    expect((await countOf(tom)).news).toBe(true)
    expect((await linesOf(maya, { group: 'news' })).lines.map((line) => line.key)).not.toContain(key)
    const listed = await tom.client.get(`/api${lines[0]?.address}`)
    expect(listed.body.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
    await mark(tom, 'done', { keys: [key] }, { group: 'news' })
    expect([await news(tom), (await countOf(tom)).news]).toEqual([[], false])
    expect(await sentencesOf(tom, { group: 'news', state: 'done' })).toEqual(['• Maya changed 3 records'])
    await mark(tom, 'reopen', { keys: [key] }, { group: 'news' })
    expect(await news(tom)).toEqual(['• Maya changed 3 records'])
  })

  it('says the stage, or that they were passed', async () => {
    const [tom, stages] = [await reader(), (await maya.client.get('/api/stages')).body]
    await bulk(maya, await followedBy(tom, 2), { stage: stages[1].id })
    await bulk(maya, await followedBy(tom, 2), await passing())
    expect(await news(tom)).toEqual(['• Maya passed 2 records', `• Maya moved 2 records to ${stages[1].name}`])
  })

  it('names the record where one follows only one of them, and leaves out muted ones', async () => {
    const tom = await reader()
    const [id = '', muted = ''] = await followedBy(tom, 2)
    await tom.client.put(`/api/records/${muted}/follow`, { state: 'mute' })
    await bulk(maya, [id, muted, await founder()], await passing())
    const { lines } = await linesOf(tom, { group: 'news' })
    expect(lines).toMatchObject([{ sentence: 'Maya passed Ada', record: { id }, address: `/founders/${id}` }])
  })

  it('is read where a record was opened, and is left by what happens to one later', async () => {
    const tom = await reader()
    const [opened = '', noted = '', left = ''] = await followedBy(tom, 3)
    await bulk(maya, [opened, noted, left], await passing())
    await mark(tom, 'read', { record: opened })
    expect(await news(tom)).toEqual(['• Maya passed 3 records'])
    await note(manager, noted)
    expect(await news(tom)).toEqual(['• Maya passed Ada. 1 new note.', '• Maya passed 2 records'])
    await mark(tom, 'read', { record: left })
    expect((await news(tom))[1]).toBe('Maya passed 2 records')
  })

  it('hides nothing that is new: a record with an unseen note keeps its line', async () => {
    const tom = await reader()
    const [noted = '', seen = '', own = ''] = await followedBy(tom, 3)
    for (const id of [noted, seen]) await note(maya, id)
    await mark(tom, 'read', { record: seen })
    await note(tom, own)
    const { body } = await bulk(maya, [noted, seen, own], await passing())
    expect((await news(tom)).toSorted()).toEqual(['• Maya passed 2 records', '• Maya passed Ada. 1 new note.'])
    await maya.client.post(`/api/records/bulk/${body.bulkId}/undo`, {})
    expect((await news(tom)).toSorted()).toEqual(['Maya added a note on Ada', '• Maya added a note on Ada'])
  })

  it('is a line of its own for a decision about a record that one judged', async () => {
    const tom = await reader()
    const ids = await followedBy(tom, 3)
    await tom.client.put(`/api/records/${ids[0]}/opinion`, { rating: 8 })
    await maya.client.put(`/api/records/${ids[0]}/opinion`, { rating: 6 })
    await settle()
    await bulk(maya, ids, await passing())
    const lines = await news(tom)
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^• Maya passed 2 records$/),
      expect.stringMatching(/^• Maya passed Ada\. You said 8/),
    ])
  })

  it('is none of what was before one followed', async () => {
    const [tom, ids] = [await reader(), [await founder(), await founder()]]
    await bulk(maya, ids, await passing())
    await settle()
    for (const id of ids) await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    expect([await news(tom), (await countOf(tom)).news]).toEqual([[], false])
  })
})

describe('What becomes of lines', () => {
  it('a deleted note has none, nor has a deleted record until it comes back', async () => {
    const [id, tom] = [await founder(), await reader()]
    const { body } = await mention(maya, id, tom)
    await ask(maya, id, tom)
    await maya.client.delete(`/api/notes/founder/${id}/${body.note.id}`)
    expect(await sentencesOf(tom)).toEqual(['• Maya asks for your opinion on Ada'])
    await maya.client.delete(`/api/founders/${id}`)
    expect([await sentencesOf(tom), await countOf(tom)]).toEqual([[], { you: 0, news: false }])
    await manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect(await sentencesOf(tom)).toEqual(['• Maya asks for your opinion on Ada'])
  })

  it('a merge unites them, what was seen stays seen, and its undo gives them back', async () => {
    const [survivor, duplicate, tom] = [await founder(), await founder(), await reader()]
    await mention(maya, duplicate, tom)
    await mark(tom, 'read', { record: duplicate })
    await mention(manager, survivor, tom)
    const mergeId = await mergeInto({ manager, maya }, survivor, duplicate)
    expect((await linesOf(tom)).lines).toMatchObject([{ key: `mention:${survivor}`, isRead: false, count: 1 }])
    await mark(tom, 'done', { keys: [`mention:${survivor}`] })
    expect(await sentencesOf(tom)).toEqual([])
    await undo(manager.client, mergeId)
    expect(await sentencesOf(tom)).toEqual([])
    const { lines } = await linesOf(tom, { state: 'done' })
    expect(lines.map(({ key }) => key).toSorted()).toEqual([`mention:${survivor}`, `mention:${duplicate}`].toSorted())
  })

  it('the asks of a disabled fellow end', async () => {
    const [id, tom, asker] = [await founder(), await reader(), await reader('Asker')]
    await ask(asker, id, tom)
    await manager.client.post(`/api/programme/people/${asker.publicId}/disable`)
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('an act that is rolled back has none', async () => {
    const [id, tom] = [await founder(), await reader()]
    const act = withActor(test.db, maya.account, async (tx) => {
      await tx.update(records).set({ responsibleId: tom.account.id }).where(eq(records.id, id))
      throw new Error('rolled back')
    })
    await expect(act).rejects.toThrow('rolled back')
    expect(await sentencesOf(tom)).toEqual([])
  })

  it('what was before the sign-up, or before this version, counts as seen', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(maya, id, tom)
    await ask(maya, id, tom)
    await putPipeline(maya, id, { responsible: tom.publicId })
    await settle()
    await test.db.update(accounts).set({ inboxSince: sql`now()` }).where(eq(accounts.id, tom.account.id))
    expect([await sentencesOf(tom), await sentencesOf(tom, { group: 'news' })]).toEqual([[], []])
  })

  it('an erased record leaves nothing of what was seen', async () => {
    const [id, tom] = [await founder(maya, 'Zenobia Quist'), await reader()]
    await mention(maya, id, tom)
    await ask(maya, id, tom)
    await tom.client.put(`/api/records/${id}/follow`, { state: 'follow' })
    await pass(maya, id, TODAY)
    await mark(tom, 'read', { record: id })
    const left = () =>
      rowsOf(
        test.db,
        sql`select 'seen' as what from inbox_seen where subject = ${id} union select 'mention' from mentions where record_id = ${id}
          union select 'ask' from opinion_asks where record_id = ${id} union select 'follow' from follows where record_id = ${id}
          union select 'passing' from passings where record_id = ${id}`,
      )
    expect(await left()).toHaveLength(5)
    const { body } = await manager.client.post('/api/programme/privacy/search', { names: ['Zenobia Quist'] })
    const refs = body.filter(({ kind }: { kind: string }) => kind === 'record').map(({ ref }: { ref: string }) => ref)
    const erased = await manager.client.post('/api/programme/privacy/erase', { refs, reason: 'asked' })
    expect([erased.status, erased.body.error]).toEqual([200, undefined])
    expect([await left(), await sentencesOf(tom)]).toEqual([[], []])
  })
})

describe('Marking lines', () => {
  it('is read, unread, done and open again, each taken back by the other', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(maya, id, tom)
    const keys = { keys: [`mention:${id}`] }
    const state = async () => {
      const [open, done] = [await linesOf(tom), await linesOf(tom, { state: 'done' })]
      return [open.lines.map(({ isRead }) => isRead), done.lines.map(({ doneAt }) => doneAt !== null)]
    }
    expect(await state()).toEqual([[false], []])
    await mark(tom, 'read', keys)
    expect(await state()).toEqual([[true], []])
    await mark(tom, 'unread', keys)
    expect(await state()).toEqual([[false], []])
    await mark(tom, 'done', keys)
    expect([await state(), await countOf(tom)]).toEqual([[[], [true]], { you: 0, news: false }])
    await mark(tom, 'reopen', keys)
    expect(await state()).toEqual([[false], []])
  })

  it('marks all until a time, and takes exactly that back', async () => {
    const tom = await reader()
    const [first, second, third] = [await founder(), await founder(), await founder()]
    for (const id of [first, second]) await mention(maya, id, tom)
    await mark(tom, 'done', { keys: [`mention:${first}`] })
    const { until } = (await settle().then(() => linesOf(tom))) as { until: string }
    await mention(maya, third, tom)
    const keys = async () => (await linesOf(tom)).lines.map(({ key }) => key)
    expect((await tom.client.post('/api/inbox/done', { until })).status).toBe(204)
    expect(await keys()).toEqual([`mention:${third}`])
    expect((await tom.client.post('/api/inbox/reopen', { until })).status).toBe(204)
    expect(await keys()).toEqual([`mention:${third}`, `mention:${second}`])
  })

  it('reaches until the horizon of the answer: what came later stays unread', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(maya, id, tom)
    await settle()
    const until = String((await tom.client.get('/api/inbox?group=news')).headers['x-seen-until'])
    await settle()
    await mention(manager, id, tom)
    await tom.client.post('/api/inbox/read', { record: id }, { headers: { 'x-seen-until': until } })
    expect(await sentencesOf(tom)).toEqual(['• Priya mentioned you in a note on Ada'])
  })

  it('has that of a record as it is shown, and misses nothing that came since', async () => {
    const [id, tom] = [await founder(), await reader()]
    const shown = async () => String((await tom.client.get(`/api/founders/${id}`)).headers['x-seen-until'])
    const before = await shown()
    await mention(maya, id, tom)
    const read = (until: string) =>
      tom.client.post('/api/inbox/read', { record: id }, { headers: { 'x-seen-until': until } })
    await read(before)
    expect(await countOf(tom)).toMatchObject({ you: 1 })
    // Answers of a tenth of a second share one.
    await pause(110)
    await read(await shown())
    expect(await countOf(tom)).toMatchObject({ you: 0 })
  })

  it('misses nothing of a transaction that is still running', async () => {
    const [id, tom] = [await founder(), await reader()]
    await withActor(test.db, maya.account, async (tx) => {
      await tx.update(records).set({ responsibleId: tom.account.id }).where(eq(records.id, id))
      await mark(tom, 'read', { record: id })
    })
    expect(await sentencesOf(tom)).toEqual(['• Maya made you responsible for Ada'])
  })

  it('is no later than now, whatever is sent, and never goes back', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(maya, id, tom)
    await tom.client.post(
      '/api/inbox/read',
      { record: id },
      { headers: { 'x-seen-until': '2199-01-01T00:00:00.000Z' } },
    )
    await settle()
    await mention(maya, id, tom)
    expect(await sentencesOf(tom)).toHaveLength(1)
    expect(await countOf(tom)).toMatchObject({ you: 1 })
    await mark(tom, 'read', { record: id })
    await tom.client.post(
      '/api/inbox/read',
      { record: id },
      { headers: { 'x-seen-until': '2001-01-01T00:00:00.000Z' } },
    )
    expect(await countOf(tom)).toMatchObject({ you: 0 })
  })

  it("is one's own only", async () => {
    const [id, tom, other] = [await founder(), await reader(), await reader('Other')]
    await mention(maya, id, tom, other)
    await mark(other, 'done', { record: id })
    expect(await sentencesOf(tom)).toEqual(['• Maya mentioned you in a note on Ada'])
    await mark(tom, 'read', { record: id })
    for (const taken of ['unread', 'reopen'] as const) await mark(other, taken, { record: id })
    expect((await linesOf(tom)).lines.map(({ isRead }) => isRead)).toEqual([true])
  })

  it('changes nothing by a GET', async () => {
    const [id, tom] = [await founder(), await reader()]
    await mention(maya, id, tom)
    for (const url of [`/api/founders/${id}`, `/api/notes/founder/${id}`, '/api/inbox', '/api/inbox/count']) {
      await tom.client.get(url)
    }
    expect(await countOf(tom)).toMatchObject({ you: 1 })
  })

  it.each<[what: string, as: string, body: unknown, headers: Record<string, string>, status: number, field: string]>([
    ['nothing', 'read', {}, {}, 400, 'keys'],
    ['two choices', 'read', { record: uuidv7(), until: '2026-01-01T00:00:00.000Z' }, {}, 400, 'keys'],
    ['no keys', 'read', { keys: [] }, {}, 400, 'keys'],
    ['a key of another kind', 'read', { keys: [`other:${uuidv7()}`] }, {}, 400, 'keys'],
    ['a key without a subject', 'read', { keys: ['mention:1'] }, {}, 400, 'keys'],
    ['no list', 'read', { keys: 'mention' }, {}, 400, 'keys'],
    ['a record that is no id', 'read', { record: 'x' }, {}, 400, 'record'],
    ['a time that is none', 'done', { until: 'soon' }, {}, 400, 'until'],
    ['no horizon', 'read', { record: uuidv7() }, {}, 400, 'x-seen-until'],
    ['a horizon that is none', 'read', { record: uuidv7() }, { 'x-seen-until': 'soon' }, 400, 'x-seen-until'],
    ['another time zone', 'read', { until: '2026-01-01T00:00:00.000Z', timeZone: 'x' }, {}, 400, 'timeZone'],
  ])('refuses %s with a sentence at the field', async (_what, as, body, headers, status, field) => {
    const answer = await maya.client.post(`/api/inbox/${as}`, body, { headers })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([status, [field]])
    expect(answer.body.error).toMatch(/^[A-Z]/)
  })

  it.each([
    ['group=others', 'group'],
    ['state=read', 'state'],
    ['timeZone=x', 'timeZone'],
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
  ])('GET /api/inbox?%s is 400', async (query, field) => {
    const { status, body } = await maya.client.get(`/api/inbox?${query}`)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  it('is 404 for another mark', async () => {
    expect((await maya.client.post('/api/inbox/snooze', { keys: [] })).status).toBe(404)
  })
})

describe('The pages of the inbox', () => {
  it('follow each other without a gap, newest first', async () => {
    const tom = await reader()
    for (let count = 0; count < 7; count += 1) await mention(maya, await founder(maya, `Founder ${count}`), tom)
    await ask(maya, (await makeCompany(test.db, { creator: maya.account })).id, tom)
    const all = (await linesOf(tom)).lines.map(({ key }) => key)
    expect(all).toHaveLength(8)
    const paged: string[] = []
    for (let next: string | undefined = '/api/inbox?limit=3'; next !== undefined; ) {
      const { body, headers } = await tom.client.get(next)
      paged.push(...body.map(({ key }: { key: string }) => key))
      next = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(paged).toEqual(all)
  })
})
