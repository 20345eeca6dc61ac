import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { records } from '#server/db/schema.ts'
import { type EnrichedApp, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import { csv, importFile } from '#server/import/test/import-file.ts'

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
})
afterAll(() => world.close())

const CEO = {
  json: {
    experience: [{ title: 'CEO', company_name: 'Provided', is_current_position: true }],
    contact: { emails: ['provided@acme.example'] },
  },
}

const get = async (search: string) => (await world.client.get(`/api/founders?search=${search}`)).body[0]
const infoOf = ({ additionalInfo }: { additionalInfo: string }) => JSON.parse(additionalInfo)

describe('A value that an import has filled', () => {
  it('is not replaced by a refresh, which fills the other fields', { tags: 'slow' }, async () => {
    world.outside.on('POST /persons', CEO)
    const file = csv('Name,LinkedIn,Company', 'Ann Ash,https://www.linkedin.com/in/ann,Imported')
    await importFile(world.client, file)
    const { id } = await get('ann')
    expect((await world.client.post(`/api/founders/${id}/refresh`)).body).toMatchObject({ success: true })
    const record = await get('ann')
    expect(infoOf(record)).toMatchObject({ current_company: 'Imported', current_title: 'CEO' })
    expect(record.enrichment.sources).toMatchObject({
      current_company: { provider: 'import' },
      current_title: { provider: 'Harmonic' },
    })
  })

  it('is not replaced by a run that had asked before the import', { tags: 'slow' }, async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 6_000 })
    const linkedIn = 'https://www.linkedin.com/in/ben'
    const adding = world.client.post('/api/founders', { name: 'Ben Birch', linkedIn, notes: 'Met' })
    const asked = () => world.outside.requests.some(({ query }) => query.linkedin_url?.includes('ben'))
    await until(async () => asked())
    const file = csv('Name,LinkedIn,Company', `Ben Birch,${linkedIn},Imported`)
    const done = await importFile(world.client, file, { duplicates: 'fill' })
    expect(done.counts.updated).toBe(1)
    const { body } = await adding
    await until(async () => !(await get('ben')).enrichment.isRunning)
    const record = await get('ben')
    expect(record.id).toBe(body.id)
    expect(infoOf(record)).toMatchObject({ current_company: 'Imported', current_title: 'CEO' })
    expect(await world.test.db.$count(records)).toBe(2)
  })
})

describe('An address that an import has changed', () => {
  it('is looked up by the next refresh, not by the import', { tags: 'slow' }, async () => {
    // One that identifies no one. With another profile the row would be of another person.
    const linkedIn = 'https://www.linkedin.com/sales/lead/cat'
    world.outside.on('POST /persons', CEO)
    const { body } = await world.client.post('/api/founders', { name: 'Cat Cole', linkedIn, notes: 'Met' })
    await world.client.patch(`/api/founders/${body.id}`, { email: 'cat@acme.example', version: 1 })
    await until(async () => !(await get('cat')).enrichment.isRunning)
    world.outside.requests.length = 0
    const file = csv('Name,LinkedIn,Email', 'Cat Cole,https://www.linkedin.com/in/cat-cole,cat@acme.example')
    expect((await importFile(world.client, file, { duplicates: 'update' })).counts.updated).toBe(1)
    const updated = await get('cat')
    expect([infoOf(updated), updated.enrichment.isRunning]).toEqual([{ email: 'cat@acme.example' }, false])
    expect(world.outside.requests).toEqual([])
    await world.client.post(`/api/founders/${body.id}/refresh`)
    expect(world.outside.requests.map(({ query }) => query.linkedin_url)).toEqual([expect.stringContaining('cat-cole')])
    expect(infoOf(await get('cat'))).toMatchObject({ current_title: 'CEO' })
  })
})
