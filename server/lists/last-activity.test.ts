import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { accounts, records } from '#server/db/schema.ts'
import { type EnrichedApp, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import { act, csv, IN, importFile } from '#server/import/test/import-file.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { handOver } from '#server/pipeline/hand-over.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'

type Fellow = Awaited<ReturnType<typeof fellowOf>>
type Record = { id: string; name: string; linkedIn: string }

let world: EnrichedApp
let ann: Fellow
let bob: Fellow
let stages: { id: string; name: string }[]
let reason: string
beforeAll(async () => {
  world = await startEnrichedApp()
  world.outside.on('POST /persons', { json: { experience: [{ title: 'CEO', is_current_position: true }] } })
  ann = await fellowOf(world.test, { name: 'Ann' })
  bob = await fellowOf(world.test, { name: 'Bob', role: 'manager' })
  stages = (await bob.client.get('/api/stages')).body
  reason = (await bob.client.get('/api/passing-reasons')).body[0].id
})
afterAll(() => world.close())

const db = () => world.test.db
let named = 0
const founder = async ({ account }: Fellow = ann): Promise<Record> => {
  named += 1
  const linkedIn = `${IN}quiet-${named}`
  return { ...(await makeFounder(db(), { creator: account, name: `Quiet ${named}`, linkedIn })), linkedIn }
}
const company = () => makeCompany(db(), { creator: ann.account })

async function lastOf({ id }: { id: string }) {
  const [row] = await db()
    .select({ at: records.lastActivityAt, by: records.lastActivityBy })
    .from(records)
    .where(eq(records.id, id))
  return row
}
/** A computation from the rows and the log says the same. */
async function lastComputed({ id }: { id: string }) {
  const kept = await lastOf({ id })
  await db().execute(sql`select derive_columns(${id})`)
  expect(await lastOf({ id })).toEqual(kept)
  return kept
}

const ok = async (answer: Promise<{ status: number; body: Row }>) => {
  const { status, body } = await answer
  expect([200, 201, 204], JSON.stringify(body)).toContain(status)
  return body
}
const load = (one: Record): Promise<Row> => ok(bob.client.get(`/api/founders/${one.id}`))
const pipeline = (one: { id: string }): Promise<Row> => ok(bob.client.get(`/api/records/${one.id}/pipeline`))
const put = async (one: { id: string }, set: object) =>
  ok(bob.client.put(`/api/records/${one.id}/pipeline`, { ...set, version: (await pipeline(one)).version }))
const bulk = async (one: { id: string }, set: object) =>
  ok(bob.client.post('/api/records/bulk', { ids: [one.id], set }))
const undoBulk = (id: string) => ok(bob.client.post(`/api/records/bulk/${id}/undo`, {}))
async function newTag(): Promise<string> {
  named += 1
  return (await ok(bob.client.post('/api/tags', { name: `Quiet ${named}` }))).id
}
const link = (one: { id: string }, other: { id: string }, body: object = {}) =>
  ok(bob.client.put(`/api/founders/${one.id}/companies/${other.id}`, body))
const publicId = async ({ account }: Fellow) =>
  (await db().select({ id: accounts.publicId }).from(accounts).where(eq(accounts.id, account.id)))[0]?.id

/** Acts by Bob on a record of Ann. */
const COUNTS: { [what: string]: (one: Record) => Promise<unknown> } = {
  'an edit': async (one) => {
    const { version } = await load(one)
    await ok(bob.client.put(`/api/founders/${one.id}`, { rating: 9, version }))
  },
  'a correction': async (one) => {
    const { version } = await load(one)
    await ok(bob.client.call('PATCH', `/api/founders/${one.id}`, { body: { name: 'Corrected', version } }))
  },
  'a status': async (one) => {
    await put(one, { status: 'passed', reason: { id: reason } })
  },
  'a responsible fellow': async (one) => {
    await put(one, { responsible: await publicId(ann) })
  },
  'a next step': async (one) => {
    await put(one, { nextStep: 'Call', nextOn: '2031-01-01' })
  },
}

/** What each returns takes it back. */
const GOES_BACK: { [what: string]: (one: Record) => Promise<() => Promise<unknown>> } = {
  'an edit, put straight back': async (one) => {
    const before = await load(one)
    const { version } = await ok(bob.client.put(`/api/founders/${one.id}`, { rating: 9, version: before.version }))
    return () => ok(bob.client.put(`/api/founders/${one.id}`, { rating: before.rating, version }))
  },
  'a note': async (one) => {
    const { note } = await ok(bob.client.post(`/api/notes/founder/${one.id}`, { content: 'Met again' }))
    return () => ok(bob.client.delete(`/api/notes/founder/${one.id}/${note.id}`))
  },
  'a tag': async (one) => {
    await ok(bob.client.put(`/api/records/${one.id}/tags`, { tags: [await newTag()] }))
    return () => ok(bob.client.put(`/api/records/${one.id}/tags`, { tags: [] }))
  },
  'a tag, which is deleted': async (one) => {
    const tag = await newTag()
    await ok(bob.client.put(`/api/records/${one.id}/tags`, { tags: [tag] }))
    return () => ok(bob.client.delete(`/api/tags/${tag}`))
  },
  'a link': async (one) => {
    const other = await company()
    await link(one, other)
    return () => ok(bob.client.delete(`/api/founders/${one.id}/companies/${other.id}`))
  },
  'a link, of which the other record is deleted': async (one) => {
    const other = await company()
    await link(one, other)
    return () => ok(ann.client.delete(`/api/companies/${other.id}`))
  },
  'a meeting': async (one) => {
    await ok(bob.client.post(`/api/records/${one.id}/finders`, {}))
    return () => ok(bob.client.delete(`/api/records/${one.id}/finders`))
  },
  'a stage, put straight back': async (one) => {
    await put(one, { stage: stages[1]?.id })
    return () => put(one, { stage: null })
  },
  'a merge': async (one) => {
    const { mergeId } = await ok(merge(bob.client, await load(one), await load(await founder())))
    return () => ok(undo(bob.client, mergeId))
  },
  'a stage in bulk': async (one) => {
    const { bulkId } = await bulk(one, { stage: stages[1]?.id, addTag: await newTag() })
    return () => undoBulk(bulkId)
  },
  'a tag in bulk': async (one) => {
    const { bulkId } = await bulk(one, { addTag: await newTag() })
    return () => undoBulk(bulkId)
  },
}

const NEVER: { [what: string]: (one: Record) => Promise<unknown> } = {
  'an opinion': (one) => ok(bob.client.put(`/api/records/${one.id}/opinion`, { rating: 3 })),
  'a refresh': async (one) => {
    await ok(bob.client.post(`/api/founders/${one.id}/refresh`, {}))
    await until(async () => !(await load(one)).enrichment.isRunning)
    expect((await load(one)).enrichment.lastRun).not.toBeNull()
  },
  'an import, and its revert': async (one) => {
    const before = await lastOf(one)
    await newTag()
    const file = csv(
      'Name,LinkedIn,Rating,Stage,Tags',
      `${one.name},${one.linkedIn},2,${stages[1]?.name},Quiet ${named}`,
    )
    const { id, counts } = await importFile(bob.client, file, { duplicates: 'update' })
    expect(counts.updated).toBe(1)
    const { pipeline, rating, tags } = await load(one)
    expect([pipeline.stage.id, rating, tags.length]).toEqual([stages[1]?.id, 2, 1])
    expect(await lastComputed(one)).toEqual(before)
    await act(bob.client, id, 'revert')
  },
  'an imported note': async (one) => {
    const file = csv('LinkedIn,Note', `${one.linkedIn},From a file`)
    expect((await importFile(bob.client, file, { kind: 'note' })).counts.created).toBe(1)
    expect(await ok(bob.client.get(`/api/notes/founder/${one.id}`))).toMatchObject({ totalNotes: 1 })
  },
  'a hand-over': (one) =>
    withActor(db(), bob.account, (tx) => handOver(tx, bob.account, [ann.account.id], bob.account.id)).then(async () =>
      expect((await pipeline(one)).responsible.name).toBe('Bob'),
    ),
  'its deletion and return': async (one) => {
    await ok(ann.client.delete(`/api/founders/${one.id}`))
    await ok(bob.client.post(`/api/programme/deleted/${one.id}/restore`, {}))
  },
}

describe('The last activity of a record', () => {
  it('is its creation by hand, and none of an imported record until a fellow writes a note', async () => {
    expect(await lastComputed(await founder())).toMatchObject({ by: ann.account.id })
    await importFile(bob.client, csv('Name,LinkedIn', `Ida,${IN}ida-of-a-file`))
    const [row] = await db().select().from(records).where(eq(records.linkedInKey, 'ida-of-a-file'))
    const imported = { id: row?.id ?? '' }
    expect(await lastComputed(imported)).toEqual({ at: new Date(0), by: null })
    await ok(ann.client.post(`/api/notes/founder/${imported.id}`, { content: 'Met' }))
    expect(await lastComputed(imported)).toMatchObject({ by: ann.account.id })
  })

  const isByBob = async (one: Record, act: () => Promise<unknown>) => {
    const before = await lastOf(one)
    await act()
    const after = await lastComputed(one)
    expect(after?.by).toBe(bob.account.id)
    expect(after?.at.getTime()).toBeGreaterThan(before?.at.getTime() ?? 0)
  }

  it.each(Object.entries(COUNTS))('is %s', async (_, act) => {
    const one = await founder()
    await isByBob(one, () => act(one))
  })

  it.each(Object.entries(GOES_BACK))('is %s, and goes back with it', async (_, act) => {
    const one = await founder()
    const before = await lastOf(one)
    let takeBack: () => Promise<unknown> = async () => undefined
    await isByBob(one, async () => {
      takeBack = await act(one)
    })
    await takeBack()
    expect(await lastComputed(one)).toEqual(before)
  })

  it.each(Object.entries(NEVER))('is never %s', async (_, act) => {
    const one = await founder()
    const before = await lastOf(one)
    await act(one)
    expect(await lastComputed(one)).toEqual(before)
  })

  it('is a link again once the other record is back, and no change of its role', async () => {
    const [one, other] = [await founder(), await company()]
    await link(one, other)
    const linked = await lastOf(one)
    expect(await lastOf(other)).toEqual(linked)
    await link(one, other, { role: 'CEO' })
    expect(await lastComputed(one)).toEqual(linked)
    await ok(ann.client.delete(`/api/companies/${other.id}`))
    expect((await lastOf(one))?.by).toBe(ann.account.id)
    await ok(bob.client.post(`/api/programme/deleted/${other.id}/restore`, {}))
    expect(await lastComputed(one)).toEqual(linked)
  })

  it('is a move that is made again after it was put back, and one that another puts back', async () => {
    const one = await founder()
    await put(one, { stage: stages[1]?.id })
    await put(one, { stage: null })
    await put(one, { stage: stages[1]?.id })
    const again = await lastComputed(one)
    expect(again?.by).toBe(bob.account.id)
    const { version } = await pipeline(one)
    await ok(ann.client.put(`/api/records/${one.id}/pipeline`, { stage: null, version }))
    expect((await lastComputed(one))?.by).toBe(ann.account.id)
  })

  it('is a merge that puts an edit back', async () => {
    const [one, other] = [await founder(), await founder()]
    const { rating } = await load(other)
    await ok(bob.client.put(`/api/founders/${one.id}`, { rating: 9, version: (await load(one)).version }))
    const edited = await lastOf(one)
    await ok(merge(bob.client, await load(one), await load(other), { rating: 'duplicate' }))
    expect((await load(one)).rating).toBe(rating)
    expect((await lastComputed(one))?.at.getTime()).toBeGreaterThan(edited?.at.getTime() ?? 0)
  })

  it('of both records is theirs again after the undo of a merge', async () => {
    const [one, other] = [await founder(), await founder(bob)]
    const before = [await lastOf(one), await lastOf(other)]
    const { mergeId } = await ok(merge(bob.client, await load(one), await load(other)))
    await ok(undo(bob.client, mergeId))
    expect([await lastComputed(one), await lastComputed(other)]).toEqual(before)
  })
})

describe('quietSince', () => {
  it('lists the records without activity since a day, in the zone of the viewer, and refuses what is no day', async () => {
    const one = await founder()
    const list = async (query: string) => {
      const rows = await ok(ann.client.get(`/api/founders?search=${encodeURIComponent(one.name)}&${query}`))
      return rows.map(({ id }: Row) => id)
    }
    await db().execute(sql`update records set last_activity_at = '2026-03-01T23:30:00Z' where id = ${one.id}`)
    expect(await list('quietSince=2026-03-02&timeZone=UTC')).toEqual([one.id])
    expect(await list('quietSince=2026-03-01&timeZone=UTC')).toEqual([])
    expect(await list('quietSince=2026-03-02&timeZone=Europe/Berlin')).toEqual([])
    const { status, body } = await ann.client.get('/api/founders?quietSince=yesterday')
    expect([status, body.error]).toEqual([400, expect.stringContaining('No activity since')])
  })
})
