import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { rowsOf } from '#server/db/database.ts'
import { founderKind } from '#server/founders/kind.ts'
import { columnsThatMerge } from '#server/records/record-data.ts'
import { searchText } from '#server/records/search-text.ts'
import { changesOf } from '#server/records/store.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { Model } from './model.ts'

const RUNS = process.env.LONG ? 200 : 10
const TIMEOUT_MS = RUNS * 5_000

let test: TestApp
let fellows: Awaited<ReturnType<typeof fellowOf>>[]
beforeAll(async () => {
  test = await startTestApp()
  fellows = await Promise.all([1, 2, 3].map(() => fellowOf(test, { role: 'manager' })))
})
afterAll(() => test.close())

const pick = <Item>(items: Item[], at: number): Item | undefined => items[at % Math.max(items.length, 1)]
const side = fc.constantFrom(undefined, 'survivor', 'duplicate')
const choices = fc.record({
  ...{ name: side, linkedIn: side, rating: side },
  notes: fc.constantFrom(undefined, 'survivor', 'duplicate', 'both'),
})
const number = fc.nat(50)
const step = fc.record({
  act: fc.constantFrom(
    ...['add', 'add', 'add', 'note', 'note', 'find', 'merge', 'merge', 'merge', 'undo', 'undo', 'rename', 'rate'],
    ...['delete', 'delete-note'],
  ),
  ...{ by: fc.nat(2), one: number, other: number, choices },
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Does a step to the product and to the model. */
async function take(model: Model, { act, by, one, other, choices }: Step, at: number): Promise<void> {
  const { client, account } = pick(fellows, by) as (typeof fellows)[0]
  const record = pick(model.live(), one)
  if (act === 'add') {
    const values = {
      name: `Name ${one}`,
      linkedIn: `https://www.linkedin.com/in/n${other}`,
      notes: `Notes ${at}`,
      rating: 5,
    }
    const { body } = await client.post('/api/founders', values)
    const first = { account: account.id, at: body.createdAt }
    model.records.set(body.id, { id: body.id, values, first, finders: new Set(), mergedInto: undefined })
  } else if (act === 'undo') {
    const merge = pick(
      model.merges.filter(({ isUndone, survivor }) => !isUndone && model.records.has(survivor)),
      one,
    )
    if (merge === undefined) return
    const first = model.undoFirst(merge)
    const { status, body } = await client.post(`/api/merges/${merge.id}/undo`, {})
    expect([status, body.undoFirst]).toEqual([first ? 409 : 200, first?.id])
    if (!first) model.undo(merge)
  } else if (record === undefined) {
    return
  } else if (act === 'note') {
    const { body } = await client.post(`/api/notes/founder/${record.id}`, { content: `Note ${at}` })
    model.notes.set(body.note.id, { author: account.id, record: record.id })
  } else if (act === 'delete-note') {
    const [id] = pick(model.notesOf(record.id), other) ?? []
    if (id === undefined) return
    await client.delete(`/api/notes/founder/${record.id}/${id}`)
    model.notes.delete(id)
  } else if (act === 'find') {
    await client.post(`/api/records/${record.id}/finders`, {})
    model.find(record.id, account.id)
  } else if (act === 'rate') {
    await client.put(`/api/founders/${record.id}`, { rating: (other % 10) + 1 })
    record.values.rating = (other % 10) + 1
  } else if (act === 'rename') {
    const name = `Renamed ${other}`
    await withActor(test.db, account, async (tx) => {
      const { searchText: text } = changesOf(founderKind, { name })
      await tx.execute(sql`update records set name = ${name}, search_text = ${text}, version = version + 1
        where id = ${record.id}`)
    })
    record.values.name = name
  } else if (act === 'delete') {
    await client.delete(`/api/founders/${record.id}`)
    model.delete(record.id)
  } else if (act === 'merge') {
    const duplicate = pick(model.live(), other)
    if (duplicate === undefined || duplicate.id === record.id) return
    const both = [record.id, duplicate.id]
    const versions = Object.fromEntries(
      await Promise.all(both.map(async (id) => [id, (await client.get(`/api/founders/${id}`)).body.version])),
    )
    const given = JSON.parse(JSON.stringify(choices))
    const merged = { survivorId: record.id, duplicateId: duplicate.id, versions, choices: given }
    const { status, body } = await client.post('/api/records/merge', merged)
    expect(status).toBe(200)
    model.merge(body.mergeId, record.id, duplicate.id, given)
  }
}

/** The rows of a table, the columns of which a merge treats so, in a stable order. */
const rows = (query: ReturnType<typeof sql>) => rowsOf<Record<string, unknown>>(test.db, query)

async function compare(model: Model) {
  const known = new Set(['enriched_at', 'enrichment', 'additional_info', 'search_grams', 'version'])
  const columns = [...columnsThatMerge('records', 'kept'), ...columnsThatMerge('records', 'rebuilt')]
  const listed = columns.filter((column) => !known.has(column))
  const expected = [...model.records.values()].map(({ id, values, first, mergedInto }) => ({
    ...{ id, name: values.name, notes: values.notes, rating: values.rating, linked_in: values.linkedIn },
    kind: mergedInto ? 'merged-founder' : 'founder',
    ...{ creator_id: first.account, creator_text: null, created_at: first.at, merged_into: mergedInto ?? null },
    linked_in_key: values.linkedIn.split('/').at(-1),
    search_text: searchText(founderKind.searched, values),
    notes_count: model.notesOf(id).length,
    ...{ website: null, description: null, domain_key: null, is_imported: false },
  }))
  expect(Object.keys(expected[0] ?? Object.fromEntries(listed.map((name) => [name, 0]))).sort()).toEqual(listed.sort())
  const found = await rows(sql`select ${sql.raw(listed.filter((name) => name !== 'created_at').join(', '))},
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at from records`)
  const byId = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  const sorted = (some: object[]) => some.map((row) => Object.fromEntries(Object.entries(row).sort())).sort(byId)
  expect(sorted(found)).toEqual(sorted(expected))

  expect(sorted(await rows(sql`select id, author_id, record_id, kind from notes`))).toEqual(
    sorted(
      [...model.notes].map(([id, { author, record }]) => ({
        id,
        author_id: author,
        record_id: record,
        kind: 'founder',
      })),
    ),
  )
  const members = model.members()
  expect(
    sorted(await rows(sql`select record_id, account_id, is_owner, is_finder, notes_count from record_members`)),
  ).toEqual(sorted(members))
  expect(sorted(await rows(sql`select record_id, account_id from finders`))).toEqual(
    sorted(
      [...model.records.values()].flatMap(({ id, finders }) =>
        [...finders].map((one) => ({ record_id: id, account_id: one })),
      ),
    ),
  )
  const counted = fellows
    .map(({ account: { id } }) => ({
      creator_id: id,
      added: model.live().filter(({ first }) => first.account === id).length,
      mine: members.filter(({ account_id }) => account_id === id).length,
    }))
    .filter(({ added, mine }) => added + mine > 0)
  expect(
    sorted(await rows(sql`select creator_id, added::int, mine::int from counters where added <> 0 or mine <> 0`)),
  ).toEqual(sorted(counted))
  expect(sorted(await rows(sql`select id, undone_at is not null as undone from merges`))).toEqual(
    sorted(model.merges.map(({ id, isUndone }) => ({ id, undone: isUndone }))),
  )
}

it(
  'After any adds, notes, finders, merges, undos, renames and deletes, every listed column is what a plain model says',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        await test.db.execute(sql`delete from records`)
        await test.db.execute(sql`delete from merges`)
        const model = new Model()
        for (const [at, one] of steps.entries()) await take(model, one, at)
        await compare(model)
      }),
      // A failure names its seed. Making it smaller takes as long as all runs.
      { numRuns: RUNS, endOnFailure: true },
    )
  },
  TIMEOUT_MS,
)
