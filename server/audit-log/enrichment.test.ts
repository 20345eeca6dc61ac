import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '#server/db/schema.ts'
import { type EnrichedApp, startEnrichedApp } from '#server/enrichment/test/enriched-app.ts'

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp()
})
afterAll(() => world.close())

const harmonicSays = (title: string) =>
  world.outside.on(({ path }) => path === '/persons', {
    json: { experience: [{ title, company_name: 'Acme', is_current_position: true }] },
  })
const runsOf = (id: string) =>
  world.test.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.objectId, id), eq(auditLog.action, 'enrich')))
    .orderBy(auditLog.at, auditLog.id)

describe('A run of enrichment writes one audit entry', () => {
  it('with the changed fields, old and new values, the provider, and the person who requested it', {
    tags: 'slow',
  }, async () => {
    harmonicSays('CTO')
    const { id } = (
      await world.client.post('/api/founders', { name: 'A', linkedIn: 'https://www.linkedin.com/in/a', notes: 'n' })
    ).body
    harmonicSays('CEO')
    await world.client.post(`/api/founders/${id}/refresh`)
    const who = { accountId: expect.any(String), accountEmail: expect.any(String), ip: '127.0.0.1', kind: 'founder' }
    expect(await runsOf(id)).toMatchObject([
      {
        ...who,
        requestId: expect.any(String),
        before: null,
        after: { current_title: 'CTO', current_company: 'Acme' },
        detail: { providers: { current_title: 'harmonic', current_company: 'harmonic' } },
      },
      {
        ...who,
        before: { current_title: 'CTO' },
        after: { current_title: 'CEO' },
        detail: { providers: { current_title: 'harmonic' } },
      },
    ])
    const { body } = await world.client.get(`/api/founders/${id}/history?limit=1`)
    expect(body).toMatchObject([
      { action: 'enrich', changes: [{ field: 'current_title', before: 'CTO', after: 'CEO', source: 'Harmonic' }] },
    ])
  })

  it('also when it changed nothing, with its notice', async () => {
    world.outside.on(({ path }) => path === '/persons', { status: 404, json: {} })
    const { id } = (
      await world.client.post('/api/founders', { name: 'B', linkedIn: 'https://www.linkedin.com/in/b', notes: 'n' })
    ).body
    expect(await runsOf(id)).toMatchObject([{ before: null, after: null, detail: { notice: 'No public data found' } }])
  })
})
