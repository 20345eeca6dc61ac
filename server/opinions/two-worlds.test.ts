import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FeedServer, startFeedServer } from '#server/feed/test/own-server.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { addressOf, everyCall } from '#server/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestClient } from '#server/test/test-app.ts'

let server: FeedServer
beforeAll(async () => {
  server = await startFeedServer()
})
afterAll(() => server.stop())

/** What differs in any two worlds: ids, times and signed values. */
const masked = (text: string): string =>
  text
    .replaceAll(/"cohort":"[^"]+"/g, '"cohort":"…"')
    .replaceAll(/"next":"[\w-]+"/g, '"next":"…"')
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, 'time')
    .replaceAll(/DTSTAMP:\w+/g, 'time')

/**
 * Everything that two blind readers, a fellow and a manager, get of two founders: one with revealed opinions, one with a blind
 * opinion by the given author, given so many minutes ago. Also while the two are merged, and after the undo.
 */
async function transcriptOf(author: 'Ann' | 'Cem', minutesAgo: number): Promise<string[]> {
  const test = await startTestApp({}, undefined, undefined, { address: await server.migrated() })
  const fellow = (name: string, role: 'fellow' | 'manager' = 'fellow') =>
    fellowOf(test, { name, role, email: `${name.toLowerCase()}@mit.edu` })
  const authors = { Ann: await fellow('Ann'), Cem: await fellow('Cem'), Dora: await fellow('Dora') }
  const [ben, mia, rex] = [await fellow('Ben'), await fellow('Mia', 'manager'), await fellow('Rex', 'manager')]
  const give = ({ client }: { client: TestClient }, id: string, rating: number) =>
    client.put(`/api/records/${id}/opinion`, { rating, comment: `About ${rating}` })

  const events: string[] = []
  const stop = await test.database.listen({ records: (payload) => void events.push(payload) }, () => {})
  const add = (name: string) =>
    makeFounder(test.db, { name, notes: name, linkedIn: `https://linkedin.com/in/${name}`, creator: ben.account })
  const [revealed, blind] = [await add('Revealed'), await add('Blind')]
  const people = (await rex.client.get('/api/fellows')).body as { id: string; name: string }[]
  const fellows = people.filter(({ name }) => ['Ann', 'Cem', 'Mia'].includes(name)).map(({ id }) => id)
  expect((await ben.client.post(`/api/records/${blind.id}/opinions/ask`, { fellows })).status).toBe(204)
  await mia.client.put(`/api/records/${blind.id}/follow`, { state: 'follow' })
  await give(authors.Ann, revealed.id, 8)
  await give(authors.Dora, revealed.id, 3)
  await rex.client.post(`/api/records/${revealed.id}/opinions/reveal`, {})
  await give(authors[author], blind.id, 9)
  await test.db.execute(sql`
    update opinions set given_at = given_at - make_interval(mins => ${minutesAgo}) where record_id = ${blind.id}`)

  const reads = (await everyCall(test.visitor())).filter(
    ({ method, path }) => method === 'GET' && !/events|picture|auth\/sso|openapi/.test(path),
  )
  const lines: string[] = []
  async function readAll() {
    for (const { client } of [ben, mia]) {
      // Calls without an id once.
      for (const address of new Set([revealed, blind].flatMap(({ id }) => reads.map((call) => addressOf(call, id))))) {
        const { status, text } = await client.get(address)
        lines.push(masked(`${address} ${status} ${text}`))
      }
      for (const group of ['you', 'news']) {
        lines.push(masked(`${group} ${(await client.get(`/api/inbox?group=${group}`)).text}`))
      }
      for (const query of [
        'opinion=missing',
        'sort=lastNote',
        'sort=rating',
        'search=About',
        'search=About&in=mentions',
      ]) {
        lines.push(masked(`${query} ${(await client.get(`/api/founders?${query}`)).text}`))
      }
    }
  }

  await readAll()
  for (const [survivor, duplicate] of [
    [revealed, blind],
    [blind, revealed],
  ] as const) {
    const current = async ({ id }: { id: string }) => (await ben.client.get(`/api/founders/${id}`)).body
    const merged = await merge(ben.client, await current(survivor), await current(duplicate))
    expect(merged.status).toBe(200)
    await readAll()
    // One whom both worlds have in common changes an opinion meanwhile.
    await give(authors.Dora, survivor.id, 4)
    lines.push(masked(merged.text), masked((await undo(ben.client, merged.body.mergeId)).text))
    await readAll()
  }
  await stop()
  lines.push(...events.map(masked))
  await test.close()
  return lines
}

it('Two worlds in which another fellow gave a blind opinion, at another minute, are the same to every blind reader', {
  tags: 'slow',
  timeout: 240_000,
}, async () => {
  const [one, other] = [await transcriptOf('Ann', 1), await transcriptOf('Cem', 90)]
  expect(one.length).toBeGreaterThan(500)
  expect(other.length).toBe(one.length)
  expect(one.flatMap((line, at) => (line === other[at] ? [] : [[line, other[at]]]))).toEqual([])
})
