import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '#server/kinds.ts'
import { createPipelineCalls, type PipelineCalls } from '#server/pipeline/test/calls.ts'
import { nextOf } from '#server/records/test/list-world.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
let calls: PipelineCalls
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { role: 'manager' })
  calls = await createPipelineCalls(test, ann.client)
})
afterAll(() => test.close())

type Column = { stage: { name: string } | null; count: number; records: { id: string }[]; next?: string; isMore?: true }
const board = async (query: string): Promise<Column[]> => (await ann.client.get(`/api/pipeline?${query}`)).body
const make = { founder: makeFounder, company: makeCompany }
const names = (columns: Column[]) => columns.map(({ stage }) => stage?.name ?? null)
const counts = (columns: Column[]) => columns.map(({ count }) => count)

describe.each(kinds.map(({ name, path }) => [name, path] as const))('The board of a %s', (kind, path) => {
  const one = () => make[kind](test.db, { creator: ann.account })

  it('has a column for those not started and for each stage, active ones only unless another status is asked for', async () => {
    const [fresh, met, held, cleared] = [await one(), await one(), await one(), await one()]
    await calls.put(met.id, { stage: calls.stage.Met, version: 0 })
    await calls.put(held.id, { stage: calls.stage.Met, status: 'on_hold', version: 0 })
    await calls.put(cleared.id, { stage: calls.stage.Met, version: 0 })
    await calls.put(cleared.id, { stage: null, version: 1 })
    const columns = await board(`kind=${kind}`)
    expect(names(columns)).toEqual([null, 'Contacted', 'Met', 'In review'])
    expect(counts(columns)).toEqual([2, 0, 1, 0])
    expect(columns[0]?.records.map(({ id }) => id)).toEqual([cleared.id, fresh.id])
    const { body } = await ann.client.get(`/api/${path}/${met.id}`)
    expect(columns[2]).toEqual({ stage: { id: calls.stage.Met, name: 'Met' }, count: 1, records: [body] })
    const onHold = await board(`kind=${kind}&status=on_hold`)
    expect([counts(onHold), onHold[2]?.records.map(({ id }) => id)]).toEqual([[0, 0, 1, 0], [held.id]])
  })

  it('has the newest 50 of a column, and the address of the list with the next ones', { tags: 'slow' }, async () => {
    const ids: string[] = []
    for (let more = 0; more < 52; more += 1) {
      const { id } = await one()
      await calls.put(id, { stage: calls.stage['In review'], version: 0 })
      ids.unshift(id)
    }
    const column = (await board(`kind=${kind}`))[3] as Column
    expect([column.count, column.records.map(({ id }) => id)]).toEqual([52, ids.slice(0, 50)])
    const { status, body, headers } = await ann.client.get(column.next as string)
    expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, ids.slice(50)])
    expect(nextOf(headers.link)).toBeUndefined()
    const { id: boardless } = await one()
    expect((await board(`kind=${kind}`))[0]?.records[0]?.id).toBe(boardless)
  })

  it('counts exactly after moves, merges, undos, deletions and restores', { tags: 'slow' }, async () => {
    const recount = async () => {
      const listed = async (stage: string) =>
        Number((await ann.client.get(`/api/${path}?status=active&stage=${stage}&limit=500`)).body.length)
      const stages = (await ann.client.get('/api/stages')).body as { id: string }[]
      const expected = await Promise.all(['none', ...stages.map(({ id }) => id)].map(listed))
      expect(counts(await board(`kind=${kind}`))).toEqual(expected)
      return expected
    }
    const [a, b] = [await one(), await one()]
    await calls.put(b.id, { stage: calls.stage.Contacted, version: 0 })
    const before = await recount()
    const merged = await ann.client.post('/api/records/merge', {
      ...{ survivorId: a.id, duplicateId: b.id },
      versions: { [a.id]: a.version, [b.id]: b.version },
    })
    const after = await recount()
    expect(after).toEqual(before.with(0, (before[0] as number) - 1))
    await ann.client.post(`/api/merges/${merged.body.mergeId}/undo`, {})
    expect(await recount()).toEqual(before)
    await ann.client.delete(`/api/${path}/${b.id}`)
    expect(await recount()).toEqual(before.with(1, (before[1] as number) - 1))
    await ann.client.post(`/api/programme/deleted/${b.id}/restore`, {})
    expect(await recount()).toEqual(before)
  })
})

describe('The board', () => {
  it('shows an archived stage only while it has records', async () => {
    const { id } = await makeFounder(test.db, { creator: ann.account })
    const { body: stage } = await ann.client.post('/api/stages', { name: 'Trial' })
    await calls.put(id, { stage: stage.id, version: 0 })
    await ann.client.patch(`/api/stages/${stage.id}`, { archived: true })
    expect(names(await board('kind=founder')).at(-1)).toBe('Trial')
    expect(names(await board('kind=company'))).not.toContain('Trial')
    await calls.put(id, { stage: null, version: 1 })
    expect(names(await board('kind=founder'))).not.toContain('Trial')
  })

  it('has the filters of lists, and each column the count and the next page of its list', {
    tags: 'slow',
  }, async () => {
    const bob = await fellowOf(test)
    const { body: tag } = await ann.client.post('/api/tags', { name: 'Board' })
    const ids: string[] = []
    for (let more = 0; more < 52; more += 1) {
      const { id } = await makeFounder(test.db, { creator: bob.account, rating: 9 })
      ids.unshift(id)
    }
    await ann.client.post('/api/records/bulk', { ids, set: { addTag: tag.id, stage: calls.stage.Met } })
    const filtered = await board(`kind=founder&tag=${tag.id}&ratingMin=8&timeZone=Europe/Berlin`)
    expect(counts(filtered)).toEqual([0, 0, 52, 0])
    expect(filtered[2]?.records.map(({ id }) => id)).toEqual(ids.slice(0, 50))
    const { status, body } = await ann.client.get(filtered[2]?.next as string)
    expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, ids.slice(50)])
    expect(counts(await board(`kind=founder&tag=${tag.id}&ratingMax=8`))).toEqual([0, 0, 0, 0])
    const mine = (await bob.client.get('/api/pipeline?kind=founder&mine=true')).body
    expect(counts(mine)).toEqual([0, 0, 52, 0])
    const others = (await bob.client.get(`/api/founders?mine=true&status=active&stage=${calls.stage.Met}`)).headers
    expect(others['x-total-count']).toBe('52')
  })

  it('says why a record was passed', async () => {
    const [reason] = (await ann.client.get('/api/passing-reasons')).body
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await calls.put(id, { status: 'passed', reason: { id: reason.id, text: 'No market yet' }, version: 0 })
    const { records } = (await board('kind=founder&status=passed'))[0] as Column
    expect(records).toMatchObject([
      { id, pipeline: { reason: { id: reason.id, name: reason.name, text: 'No market yet' } } },
    ])
  })

  it('refuses a kind or a status that there is not, and a filter of another kind', async () => {
    for (const [query, field] of [
      ['kind=founder&industry=Fintech', 'industry'],
      ['kind=company&linkedIn=ada', 'linkedIn'],
      ['kind=founder&stage=none', 'stage'],
      ['kind=founder&ratingMin=11', 'ratingMin'],
      ['', 'kind'],
      ['kind=person', 'kind'],
      ['kind=founder&status=won', 'status'],
    ] as const) {
      const { status, body } = await ann.client.get(`/api/pipeline?${query}`)
      expect([query, status, Object.keys(body.fields)]).toEqual([query, 400, [field]])
    }
  })
})
