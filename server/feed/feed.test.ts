import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditActions } from '#contract/audit-actions.ts'
import { recordActions } from '#contract/audit-record-actions.ts'
import type { FeedEntry } from '#contract/feed.ts'
import { featureActions } from '#contract/record-features.ts'
import { rowsOf } from '#server/db/database.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { purgeDeleted } from '#server/programme/deleted/store.ts'
import { makeImport } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { type FeedServer, startFeedServer } from './test/own-server.ts'
import { feedPage, readFeedOn, waitForFeed } from './test/reader.ts'

let server: FeedServer
let test: TestApp
let manager: TestClient
let other: TestClient
let number = 0
beforeAll(async () => {
  server = await startFeedServer()
  test = await startTestApp({}, undefined, undefined, { address: await server.migrated() })
  manager = (await fellowOf(test, { role: 'manager' })).client
  other = (await fellowOf(test)).client
})
afterAll(async () => {
  await test.close()
  await server.stop()
})

async function add(path: 'founders' | 'companies' = 'founders', more: object = {}): Promise<Row> {
  number += 1
  const own = path === 'founders' ? { linkedIn: `https://www.linkedin.com/in/feed-${number}` } : { description: 'x' }
  const input = { name: `Zyx${number} Qua${number * 7}`, notes: 'Met', ...own, ...more }
  const { status, body } = await manager.post(`/api/${path}`, input)
  expect([status, body.error]).toEqual([201, undefined])
  return body
}
const stages = async (): Promise<Row[]> => (await manager.get('/api/stages')).body
async function pipeline(record: Row, change: object) {
  const { status, body } = await manager.put(`/api/records/${record.id}/pipeline`, change)
  expect([status, body.error]).toEqual([200, undefined])
}

/** Where the feed ends now. */
async function end(): Promise<string> {
  await waitForFeed(test.db)
  return (await readFeedOn(manager)).next
}

/** What the feed has of an act, without ids and times. */
async function during(act: () => Promise<unknown>): Promise<string[]> {
  const from = await end()
  await act()
  await waitForFeed(test.db)
  return (await readFeedOn(other, from)).entries.map(short)
}
const short = ({ event, record, note }: FeedEntry) => `${event} ${record}${note === undefined ? '' : ` ${note}`}`

describe('The feed has', () => {
  it('ids only', async () => {
    const from = await end()
    const founder = await add()
    const { body } = await manager.post(`/api/notes/founder/${founder.id}`, { content: 'Call' })
    await waitForFeed(test.db)
    const { entries } = await readFeedOn(other, from)
    const entry = {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      kind: 'founder',
      record: founder.id,
    }
    expect(entries).toEqual([
      { ...entry, event: 'founder.created' },
      { ...entry, event: 'note.created', note: body.note.id },
    ])
  })

  it.each(['founders', 'companies'] as const)('of %s: created, updated, deleted, restored', async (path) => {
    const kind = path === 'founders' ? 'founder' : 'company'
    let record: Row
    const events = await during(async () => {
      record = await add(path)
      await manager.put(`/api/${path}/${record.id}`, { rating: 9 })
      await manager.delete(`/api/${path}/${record.id}`)
      await manager.post(`/api/programme/deleted/${record.id}/restore`, {})
    })
    expect(events).toEqual(
      ['created', 'updated', 'deleted', 'restored'].map((event) => `${kind}.${event} ${record.id}`),
    )
  })

  it('merged and unmerged, on both records', async () => {
    const [one, two] = [await add(), await add()]
    const both = (event: string) => [`founder.${event} ${one.id}`, `founder.${event} ${two.id}`].sort()
    let id = ''
    const merged = await during(async () => {
      const { status, body } = await merge(manager, one, two)
      expect(status).toBe(200)
      id = body.mergeId
    })
    expect(merged.sort()).toEqual(both('merged'))
    const unmerged = await during(async () => expect((await undo(manager, id)).status).toBe(200))
    expect(unmerged.sort()).toEqual(both('unmerged'))
  })

  it('notes that were created and deleted, with their ids', async () => {
    const company = await add('companies')
    let note = ''
    const events = await during(async () => {
      note = (await manager.post(`/api/notes/company/${company.id}`, { content: 'Call' })).body.note.id
      await manager.delete(`/api/notes/company/${company.id}/${note}`)
    })
    expect(events).toEqual([`note.created ${company.id} ${note}`, `note.deleted ${company.id} ${note}`])
  })

  it('changes of the stage and of the status, both of one act, and others of the pipeline as updates', async () => {
    const founder = await add()
    const [first, second] = await stages()
    const [reason] = (await manager.get('/api/passing-reasons')).body as Row[]
    const events = await during(async () => {
      await pipeline(founder, { stage: first?.id, version: 0 })
      await pipeline(founder, { status: 'on_hold', version: 1 })
      await pipeline(founder, { nextStep: 'Call', nextOn: '2030-01-01', version: 2 })
      await pipeline(founder, { stage: second?.id, status: 'passed', reason: { id: reason?.id }, version: 3 })
    })
    expect(events).toEqual(
      ['stage.changed', 'status.changed', 'founder.updated', 'stage.changed', 'status.changed'].map(
        (event) => `${event} ${founder.id}`,
      ),
    )
  })

  it('tags, links and finders as updates of their records', async () => {
    const [founder, company] = [await add(), await add('companies')]
    const tag = (await manager.post('/api/tags', { name: `Tag ${number}` })).body
    const events = await during(async () => {
      expect((await manager.put(`/api/founders/${founder.id}/companies/${company.id}`, {})).status).toBeLessThan(300)
      expect((await manager.put(`/api/records/${founder.id}/tags`, { tags: [tag.id] })).status).toBeLessThan(300)
      expect((await other.post(`/api/records/${founder.id}/finders`, {})).status).toBeLessThan(300)
    })
    expect(events.sort()).toEqual(
      [`company.updated ${company.id}`, ...Array(3).fill(`founder.updated ${founder.id}`)].sort(),
    )
  })

  it('each record of an act on many, and of its undo', async () => {
    const founders = [await add(), await add(), await add()]
    const [stage] = await stages()
    const body = { ids: founders.map(({ id }) => id), set: { stage: stage?.id } }
    let undoPath = ''
    const events = await during(async () => {
      const answer = await manager.post('/api/records/bulk', body)
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      undoPath = `/api/records/bulk/${answer.body.bulkId}/undo`
    })
    const moved = founders.map(({ id }) => `stage.changed ${id}`).sort()
    expect(events.sort()).toEqual(moved)
    expect((await during(() => manager.post(undoPath, {}))).sort()).toEqual(moved)
  })

  it('nothing that changed nothing, and nothing of sign-ins, searches, tags by themselves and imports', async () => {
    const founder = await add()
    const events = await during(async () => {
      await manager.put(`/api/founders/${founder.id}`, { rating: founder.rating })
      await manager.post('/api/searches', { name: `S ${number}`, kind: 'founder', query: '' })
      await manager.post('/api/tags', { name: `Alone ${number}` })
      await fellowOf(test)
      await makeImport(test.db, { importer: (await fellowOf(test)).account })
    })
    expect(events).toEqual([])
  })

  it('nothing about opinions', async () => {
    const founder = await add()
    const [fellow] = (await manager.get('/api/fellows')).body as Row[]
    const events = await during(async () => {
      const given = await other.put(`/api/records/${founder.id}/opinion`, { rating: 7, comment: 'x' })
      expect([given.status, given.body?.error]).toEqual([200, undefined])
      await manager.post(`/api/records/${founder.id}/opinions/ask`, { fellows: [fellow?.id] })
      await other.delete(`/api/records/${founder.id}/opinion`)
    })
    expect(events).toEqual([])
  })

  it('of an erased record its erasure alone', async () => {
    const from = await end()
    const founder = await add()
    await manager.post(`/api/notes/founder/${founder.id}`, { content: 'Call' })
    await pipeline(founder, { stage: (await stages())[0]?.id, version: 0 })
    const { body: hits } = await manager.post('/api/programme/privacy/search', { names: [founder.name] })
    const refs = (hits as Row[]).filter(({ kind }) => kind === 'record').map(({ ref }) => ref)
    const erased = await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })
    expect([refs.length, erased.status]).toEqual([1, 200])
    await waitForFeed(test.db)
    expect((await readFeedOn(other, from)).entries.map(short)).toEqual([`founder.erased ${founder.id}`])
  })

  it('of an erased note, on a record that stays, an update of the record', async () => {
    const from = await end()
    const company = await add('companies')
    number += 1
    const name = `Orla Quenby${number}`
    await manager.post(`/api/notes/company/${company.id}`, { content: `Ask ${name}` })
    const { body: hits } = await manager.post('/api/programme/privacy/search', { names: [name] })
    const refs = (hits as Row[]).filter(({ kind }) => kind === 'notes').map(({ ref }) => ref)
    const erased = await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })
    expect([refs.length, erased.status]).toEqual([1, 200])
    await waitForFeed(test.db)
    expect((await readFeedOn(other, from)).entries.map(short)).toEqual([
      `company.created ${company.id}`,
      `company.updated ${company.id}`,
    ])
  })

  it('of a deleted record whose time is over its erasure alone', async () => {
    const from = await end()
    const founder = await add()
    await manager.delete(`/api/founders/${founder.id}`)
    await test.db.execute(sql`update records set deleted_at = now() - interval '31 days' where id = ${founder.id}`)
    await purgeDeleted(test.db)
    await waitForFeed(test.db)
    expect((await readFeedOn(other, from)).entries.map(short)).toEqual([`founder.erased ${founder.id}`])
  })
})

describe('Every action of a record or a note', () => {
  const entries = { ...featureActions, ...recordActions }
  const ofRecords = [
    ...[
      'create',
      'update',
      'enrich',
      'delete',
      'restore',
      'merge',
      'undo-merge',
      'dismiss-duplicate',
      'undo-dismissal',
    ],
    ...['inform', 'undo-inform', 'purge', 'overrule', 'preview-merge', ...Object.keys(featureActions)],
  ] as (keyof typeof entries)[]
  const readByFellows = (Object.keys(auditActions) as (keyof typeof entries)[]).filter(
    (action) => auditActions[action].readers === 'fellows',
  )

  it.each([...new Set([...ofRecords, ...readByFellows])])('%s says which event it is, or that it is none', (action) => {
    expect(entries[action]).toHaveProperty('feed', expect.any(String))
  })
})

describe('A reader', () => {
  it('gets every entry once in pages of any length, in the same order', async () => {
    const from = await end()
    const founder = await add()
    const [first] = await stages()
    const [reason] = (await manager.get('/api/passing-reasons')).body as Row[]
    for (let version = 0; version < 3; version += 1) {
      const passed = version % 2 === 0
      await pipeline(founder, {
        stage: passed ? first?.id : null,
        status: passed ? 'passed' : 'active',
        ...(passed && { reason: { id: reason?.id } }),
        version,
      })
    }
    await waitForFeed(test.db)
    const { entries, next } = await readFeedOn(manager, from)
    expect(entries.length).toBeGreaterThan(5)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    for (const limit of [1, 2, 3, 5]) expect(await readFeedOn(other, from, limit)).toEqual({ entries, next })
  })

  it('at the end gets the same cursor again', async () => {
    const from = await end()
    expect(await feedPage(manager, from)).toEqual({ entries: [], next: from })
  })

  it('without a cursor begins 90 days ago', async () => {
    await test.db.execute(
      sql`update settings set value = (value::jsonb || '{"begunAt": "2020-01-01"}')::text where key = 'feed'`,
    )
    const [old, young] = [await add(), await add()]
    await test.db.execute(sql`alter table audit_log disable trigger user`)
    const age = (id: string, days: number) =>
      test.db.execute(sql`update audit_log set at = now() - make_interval(days => ${days}) where object_id = ${id}`)
    await test.db.execute(
      sql`update audit_log set at = now() - interval '100 days' where at < (select min(at) from audit_log where object_id = ${old.id})`,
    )
    await age(old.id, 91)
    await age(young.id, 89)
    await waitForFeed(test.db)
    const { entries } = await readFeedOn(manager)
    expect(entries.map(({ record }) => record)).not.toContain(old.id)
    expect(entries[0]?.record).toBe(young.id)
    // None of these days: the end.
    await age(young.id, 95)
    expect((await readFeedOn(manager)).entries).toEqual([])
    await test.db.execute(sql`alter table audit_log enable trigger user`)
  })

  it('whose next entries are older than that starts over', async () => {
    const from = await end()
    await add()
    await test.db.execute(sql`alter table audit_log disable trigger user`)
    await test.db.execute(sql`update audit_log set at = now() - interval '92 days'`)
    await test.db.execute(sql`alter table audit_log enable trigger user`)
    await waitForFeed(test.db)
    // Nothing has been left out yet.
    expect((await feedPage(manager, from)).entries).toHaveLength(1)
    await add()
    await waitForFeed(test.db)
    expect(await manager.get(`/api/feed?cursor=${from}`)).toMatchObject({ status: 410, body: { code: 'start_over' } })
  })

  it('misses nothing of a transaction that began before and ends after others', async () => {
    const from = await end()
    const long = await test.database.openAgain()
    const slow = await add()
    let quick: Row
    await long.db.transaction(async (tx) => {
      await tx.execute(sql`update records set rating = 1 where id = ${slow.id}`)
      quick = await add()
      const { entries } = await readFeedOn(manager, from)
      // It is held back, because what comes before it may still come.
      expect(entries.map(({ record }) => record)).not.toContain(quick.id)
    })
    await long.close()
    await waitForFeed(test.db)
    expect((await readFeedOn(manager, from)).entries.map(short)).toEqual([
      `founder.created ${slow.id}`,
      `founder.updated ${slow.id}`,
      // biome-ignore lint/style/noNonNullAssertion: set above
      `founder.created ${quick!.id}`,
    ])
  })

  it('who begins during such a transaction misses nothing of it either', async () => {
    await end()
    const founder = await add()
    await test.db.execute(sql`alter table audit_log disable trigger user`)
    await test.db.execute(sql`update audit_log set at = now() - interval '95 days'`)
    await test.db.execute(sql`alter table audit_log enable trigger user`)
    await waitForFeed(test.db)
    const long = await test.database.openAgain()
    let from = ''
    await long.db.transaction(async (tx) => {
      await tx.execute(sql`update records set rating = 1 where id = ${founder.id}`)
      await add()
      from = (await readFeedOn(manager)).next
    })
    await long.close()
    await waitForFeed(test.db)
    expect((await readFeedOn(manager, from)).entries.map(short)[0]).toBe(`founder.updated ${founder.id}`)
  })

  it.each(['x', '%00', '[]', 'W10', '9'.repeat(200), 'a'.repeat(201), '%F0%9F%A6%8A', 'x&cursor=y'])(
    'with the cursor %s is refused at its field',
    async (cursor) => {
      const { status, body } = await manager.get(`/api/feed?cursor=${cursor}`)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['cursor']])
    },
  )

  it('with the cursor of a list is refused at its field', async () => {
    await add()
    await add()
    const { headers } = await manager.get('/api/founders?limit=1')
    const cursor = new URL(/<(.+)>/.exec(String(headers.link))?.[1] ?? '', 'http://localhost').searchParams.get(
      'cursor',
    )
    expect(await manager.get(`/api/feed?cursor=${cursor}`)).toMatchObject({
      ...{ status: 400, body: { fields: { cursor: 'This cursor is not valid' } } },
    })
  })
})

describe('A feed that has begun again', () => {
  const isRefused = async (cursor: string) => {
    const { status, body } = await manager.get(`/api/feed?cursor=${cursor}`)
    expect([status, body]).toEqual([
      410,
      {
        error: 'This feed has begun again. Read it without a cursor, and every record that you keep.',
        code: 'start_over',
      },
    ])
  }
  const changed = (cursor: string, change: (parts: unknown[]) => unknown[]) =>
    Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, 'base64url').toString())))).toString('base64url')

  it('refuses earlier cursors, and has only what is new', async () => {
    const from = await end()
    const before = await add()
    await test.db.execute(sql`select begin_feed()`)
    await isRefused(from)
    const after = await add()
    await waitForFeed(test.db)
    const { entries } = await readFeedOn(manager)
    expect(entries.map(short)).toEqual([`founder.created ${after.id}`])
    expect(before.id).not.toBe(after.id)
  })

  it('begins again at the start on another database, and only then', async () => {
    const from = await end()
    await test.db.execute(sql`select begin_feed_if_moved()`)
    expect((await feedPage(manager, from)).entries).toEqual([])
    await test.db.execute(
      sql`update settings set value = (value::jsonb || '{"database": "7-1"}')::text where key = 'feed'`,
    )
    await test.db.execute(sql`select begin_feed_if_moved()`)
    await isRefused(from)
  })

  it('refuses a cursor that is older than a failover, and of transactions that are not there yet', async () => {
    const from = await end()
    await isRefused(changed(from, ([epoch, , ...rest]) => [epoch, '0000000F', ...rest]))
    await isRefused(changed(from, ([epoch, timeline, , ...rest]) => [epoch, timeline, '999999999999', ...rest]))
  })
})

it('Any fellow reads the same feed, and none without a session', async () => {
  await add()
  await waitForFeed(test.db)
  const [one, two] = [await readFeedOn(manager), await readFeedOn(other)]
  expect(one.entries.length).toBeGreaterThan(0)
  expect(two).toEqual(one)
  expect((await test.visitor().get('/api/feed')).status).toBe(401)
})

it('A row of the audit log has the transaction that wrote it', async () => {
  const { id } = await add()
  const rows = await rowsOf<{ isOwn: boolean }>(
    test.db,
    sql`select transaction_id = audit_log.xmin::text::xid8 as "isOwn" from audit_log where object_id = ${id}`,
  )
  expect(rows).toEqual([{ isOwn: true }])
})
