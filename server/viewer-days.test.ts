import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '#server/kinds.ts'
import { everyCall } from '#server/test/calls.ts'
import { factoryOf, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { today } from './records/days.ts'

// The days of these two differ at every moment: their clocks are 25 hours apart.
const [EAST, WEST] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** A fellow, and records of a kind with a next step on each of these days, for which the fellow is responsible. */
async function fellowWith(kind: 'founder' | 'company', days: string[], options: object = {}) {
  const fellow = await fellowOf(test, { name: 'Ada', ...options })
  const { body } = await fellow.client.get(`/api/fellows?search=${encodeURIComponent(fellow.account.email)}`)
  const ids = []
  for (const nextOn of days) {
    const { id } = await factoryOf(kind)(test.db)
    const set = { responsible: body[0].id, nextOn, version: 0 }
    expect((await fellow.client.put(`/api/records/${id}/pipeline`, set)).status).toBe(200)
    ids.push(id)
  }
  return { ...fellow, me: body[0].id as string, ids }
}
const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id)

describe('Days are those of the viewer', () => {
  it('in every call that speaks of a day, which takes a time zone', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test, { role: 'manager' })
    const calls = (await everyCall(client)).filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'timeZone'),
    )
    expect(calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /api/account/digest',
      ...['GET /api/companies', 'GET /api/companies/export', 'GET /api/dashboard', 'GET /api/founders'],
      ...[
        'GET /api/founders/export',
        'GET /api/inbox',
        'GET /api/inbox/count',
        'GET /api/next-steps',
        'GET /api/next-steps.ics',
        'GET /api/next-steps/counts',
      ],
      ...['GET /api/pipeline', 'GET /api/programme/history', 'GET /api/programme/history/export'],
      ...['GET /api/records/{id}/next-step.ics', 'GET /api/searches', 'GET /api/searches/{id}/new'],
    ])
    const of = { kind: 'founder', id: (await fellowWith('founder', [today(EAST)])).ids[0] as string }
    const search = (await client.post('/api/searches', { name: 'Due', kind: 'founder', query: 'next=due' })).body.id
    await client.put(`/api/searches/${search}/watch`, { isWatched: true })
    for (const { path } of calls) {
      const get = (timeZone: string) => {
        const parameters = query({ timeZone, ...(path === '/api/pipeline' && { kind: of.kind }) })
        const id = path.startsWith('/api/searches') ? search : of.id
        return client.get(path.replace('{id}', id) + parameters)
      }
      for (const timeZone of ['Mars/Base', '', '+02:00', 'x'.repeat(1000)]) {
        const { status, body } = await get(timeZone)
        expect([path, timeZone, status, Object.keys(body.fields ?? {})]).toEqual([path, timeZone, 400, ['timeZone']])
      }
      expect([path, (await get('Europe/Berlin')).status]).toEqual([path, 200])
    }
  })

  it.each(kinds.map(({ name, path }) => [path, name] as const))(
    'where %s are due today or late',
    { tags: 'slow' },
    async (path, kind) => {
      const [east, west] = [today(EAST), today(WEST)]
      const { client, me, ids } = await fellowWith(kind, [east, west])
      const shown = async (timeZone: string | undefined, next: string) => {
        const parameters = query({ responsible: me, next, ...(timeZone && { timeZone }) })
        const list = idsOf(await client.get(`/api/${path}${parameters}`))
        const mine = await client.get(`/api/next-steps${query({ next, ...(timeZone && { timeZone }) })}`)
        expect(mine.body.map(({ record }: { record: { id: string } }) => record.id)).toEqual(list)
        return list
      }
      expect([await shown(EAST, 'due'), await shown(EAST, 'late')]).toEqual([[ids[0]], [ids[1]]])
      expect([await shown(WEST, 'due'), await shown(WEST, 'late')]).toEqual([[ids[1]], []])
      expect(await shown(undefined, 'late')).toEqual(today('UTC') > west ? [ids[1]] : [])
    },
  )

  it.each(kinds.map(({ name, path }) => [path, name] as const))(
    'where %s were added from or until a day, in lists and in exports',
    { tags: 'slow' },
    async (path, kind) => {
      const make = factoryOf(kind)
      const { client, account } = await fellowOf(test)
      // Midnight in New York, and a millisecond before.
      for (const at of ['2019-07-04T03:59:59.999Z', '2019-07-04T04:00:00.000Z']) {
        await make(test.db, { creator: account, name: at, createdAt: new Date(at) })
      }
      const names = async (parameters: Record<string, string>) => {
        const shown = { mine: 'true', addedAfter: '2019-01-01', addedBefore: '2019-12-31', ...parameters }
        const list = (await client.get(`/api/${path}${query(shown)}`)).body.map(({ name }: { name: string }) => name)
        const file = (await client.get(`/api/${path}/export${query({ ...shown, format: 'jsonl' })}`)).text
        expect(file.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).name))).toEqual(list)
        return list.map((name: string) => (name.startsWith('2019-07-04T04') ? 'after' : 'before'))
      }
      const timeZone = 'America/New_York'
      expect(await names({ timeZone, addedAfter: '2019-07-04' })).toEqual(['after'])
      expect(await names({ timeZone, addedBefore: '2019-07-03' })).toEqual(['before'])
      expect(await names({ addedAfter: '2019-07-04' })).toEqual(['after', 'before'])
      expect(await names({ addedBefore: '2019-07-03' })).toEqual([])
    },
  )

  it('on the pages of a list and in the name of an export', async () => {
    const { client, me, ids } = await fellowWith('founder', [today(EAST), today(EAST), today(WEST)])
    const { body, headers } = await client.get(
      `/api/founders${query({ responsible: me, next: 'due', limit: '1', timeZone: EAST })}`,
    )
    const next = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1] as string
    expect([...idsOf({ body }), ...idsOf(await client.get(next))].sort()).toEqual(ids.slice(0, 2).sort())
    for (const timeZone of [EAST, WEST] as string[]) {
      const file = await client.get(`/api/founders/export${query({ mine: 'true', timeZone })}`)
      expect(file.headers['content-disposition']).toContain(`my-founders-${today(timeZone)}.csv`)
    }
  })

  it('in the history of the programme', async () => {
    const { client, account } = await fellowOf(test, { role: 'manager' })
    const { id } = await makeFounder(test.db, { creator: account })
    await client.delete(`/api/founders/${id}`)
    const found = async (timeZone: string, day: string) =>
      (
        await client.get(
          `/api/programme/history${query({ record: id, action: 'delete', timeZone, after: day, before: day })}`,
        )
      ).body.length
    for (const [timeZone, other] of [
      [EAST, WEST],
      [WEST, EAST],
    ] as [string, string][])
      expect([await found(timeZone, today(timeZone)), await found(timeZone, today(other))]).toEqual([1, 0])
  })
})

describe('The numbers of my next steps on the dashboard', () => {
  async function nextSteps(client: Awaited<ReturnType<typeof fellowOf>>['client'], timeZone: string) {
    const { body } = await client.get(`/api/next-steps/counts${query({ timeZone })}`)
    expect((await client.get(`/api/dashboard${query({ timeZone })}`)).body.nextSteps ?? null).toEqual(body)
    return body
  }

  it('equal the lists that they open, at any size, and leave out what is deleted and of others', {
    tags: 'slow',
  }, async () => {
    const [east, west] = [today(EAST), today(WEST)]
    const days = [...Array.from({ length: 120 }, () => '2026-01-05'), ...Array.from({ length: 5 }, () => west), east]
    const { client, me, ids } = await fellowWith('founder', days, { role: 'manager' })
    await fellowWith('founder', ['2026-01-05'])
    await client.delete(`/api/founders/${ids[0]}`)
    const shown = async (timeZone: string, next: string) =>
      (await client.get(`/api/founders${query({ responsible: me, next, timeZone, limit: '500' })}`)).body.length
    for (const [timeZone, late, due] of [
      [EAST, 124, 1],
      [WEST, 119, 5],
    ] as [string, number, number][]) {
      expect(await nextSteps(client, timeZone)).toEqual({
        ...{ responsible: me, late: { founders: late, companies: 0 }, due: { founders: due, companies: 0 } },
      })
      expect([await shown(timeZone, 'late'), await shown(timeZone, 'due')]).toEqual([late, due])
    }
  })

  it('are absent without any', async () => {
    const { client } = await fellowWith('company', ['2099-01-01'])
    expect(await nextSteps(client, 'UTC')).toBeNull()
  })
})
