import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Quality } from '#contract/figures.ts'
import { qualityKinds } from '#contract/quality-kinds.ts'
import { duplicatePairs, stages } from '#server/db/schema.ts'
import { pagesOf } from '#server/records/test/list-world.ts'
import { passTime } from '#server/records/test/pipeline-world.ts'
import { makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY)

const listed = async (client: TestClient, filter: string) =>
  (await pagesOf(client, `/api/founders?${filter}&limit=2`)).ids.toSorted()

describe('Quality', () => {
  it('counts what records lack, and each number is that of its list', { tags: 'slow' }, async () => {
    const { client, account } = await fellowOf(test, { role: 'manager' })
    const founder = (days: number) => makeFounder(test.db, { creator: account, createdAt: ago(days) })
    const [fresh, old, noted, gone] = [await founder(13), await founder(15), await founder(20), await founder(30)]
    await makeNote(test.db, { founder: noted.id, author: account })
    await client.delete(`/api/founders/${gone.id}`)
    // A value that a person or a file gave is no match; one of a provider is.
    await test.db.execute(sql`update records set enrichment = '{"sources": {"bio": {"provider": "person", "at": "2026-01-01T00:00:00.000Z"},
      "title": {"provider": "import", "at": "2026-01-01T00:00:00.000Z"}}}' where id = ${old.id}`)
    await test.db.execute(sql`update records set enrichment = '{"sources": {"bio": {"provider": "person", "at": "2026-01-01T00:00:00.000Z"},
      "title": {"provider": "harmonic", "at": "2026-01-01T00:00:00.000Z"}}}' where id = ${fresh.id}`)
    const [a, b] = [fresh.id, noted.id].sort() as [string, string]
    const [c, d] = [old.id, gone.id].sort() as [string, string]
    const [e, f] = [old.id, fresh.id].sort() as [string, string]
    const pair = { kind: 'founder' as const, reasons: ['same_name' as never], score: 70 }
    await test.db.execute(sql`delete from duplicate_checks`)
    await test.db.insert(duplicatePairs).values([
      { a, b, ...pair },
      // Of a deleted one.
      { a: c, b: d, ...pair },
      // Not the same.
      { a: e, b: f, ...pair, dismissed: ['same_name' as never] },
    ])
    const [stage] = (await client.get('/api/stages')).body
    await test.db.update(stages).set({ limitDays: 5 })
    await client.put(`/api/records/${old.id}/pipeline`, { version: 0, stage: stage.id })
    await passTime(test, old.id, 6 * DAY)
    const { status, body } = await client.get('/api/programme/quality')
    expect(status).toBe(200)
    const expected = {
      unmatched: [old.id, noted.id],
      unnoted: [old.id],
      duplicate: [fresh.id, noted.id],
      overdue: [old.id],
    }
    const none = { company: 0 }
    expect(body satisfies Quality).toEqual({
      ...Object.fromEntries(qualityKinds.map((name) => [name, { founder: expected[name].length, ...none }])),
      unassigned: { founder: 3, ...none },
    })
    for (const name of qualityKinds) expect(await listed(client, `quality=${name}`)).toEqual(expected[name].toSorted())
    expect(await listed(client, 'responsible=none')).toEqual([fresh.id, old.id, noted.id].toSorted())
  })

  it('is a filter of four values', async () => {
    const { client } = await fellowOf(test)
    const { status, body } = await client.get('/api/founders?quality=none')
    expect([status, body.fields]).toEqual([400, { quality: 'Quality must be unmatched, unnoted, duplicate, overdue' }])
  })
})
