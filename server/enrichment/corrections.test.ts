import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pictures, providerCooldowns } from '#server/db/schema.ts'
import { type EnrichedApp, queuedIn, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import { csv, importFile } from '#server/import/test/import-file.ts'
import type { Row } from '#server/merge/test/calls.ts'

// What corrections and enrichment do to each other's values.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
})
afterAll(() => world.close())

beforeEach(async () => {
  await until(async () => (await queuedIn(world, 'enrich')).length === 0)
  await world.test.db.delete(providerCooldowns)
  await world.test.db.execute(sql`delete from pgboss.job where name = 'enrich-later'`)
})

const IN = 'https://www.linkedin.com/in/'
const infoOf = ({ additionalInfo }: Row) => JSON.parse(additionalInfo ?? '{}')
const providersOf = ({ enrichment: { sources } }: Row) =>
  Object.fromEntries(Object.entries(sources).map(([field, source]) => [field, (source as Row).provider]))

/** What Harmonic answers about one address. */
function answers(
  about: string,
  { delayMs, ...reply }: { json: object; status?: number; delayMs?: number; headers?: Record<string, string> },
) {
  world.outside.on(({ query }) => Object.values(query).some((value) => value.includes(about)), {
    ...reply,
    ...(delayMs !== undefined && { delayMs }),
  })
}
const person = (title: string, more: object = {}) => ({
  json: { experience: [{ title, company_name: `${title} & Co`, is_current_position: true }], ...more },
})

const get = async (kind: string, id: string): Promise<Row> => (await world.client.get(`/api/${kind}/${id}`)).body
const ended = (kind: string, id: string) => until(async () => !(await get(kind, id)).enrichment.isRunning)
const refresh = (kind: string, id: string) => world.client.post(`/api/${kind}/${id}/refresh`)

async function add(kind: 'founders' | 'companies', fields: object): Promise<Row> {
  const { body } = await world.client.post(`/api/${kind}`, { name: 'Ada', notes: 'Met', ...fields })
  await ended(kind, body.id)
  return get(kind, body.id)
}
async function patch(kind: string, { id, version }: Row, fields: object): Promise<Row> {
  const { status, body } = await world.client.patch(`/api/${kind}/${id}`, { ...fields, version })
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

describe('A value that a person typed', () => {
  it('has the source person, and survives a refresh, which fills the others', { tags: 'slow' }, async () => {
    answers('typed-one', person('CEO'))
    const record = await add('founders', { linkedIn: `${IN}typed-one` })
    const corrected = await patch('founders', record, { title: 'Founder & CEO' })
    expect(providersOf(corrected)).toEqual({ current_title: 'person', current_company: 'Harmonic' })
    answers('typed-one', person('CTO'))
    expect((await refresh('founders', record.id)).body.success).toBe(true)
    expect(infoOf(await get('founders', record.id))).toEqual({
      current_title: 'Founder & CEO',
      current_company: 'CTO & Co',
    })
  })

  it('survives a run that had asked before, and its retry', { tags: 'slow' }, async () => {
    answers('typed-two', { ...person('CEO'), status: 429, headers: { 'retry-after': '1' } })
    const record = await add('founders', { linkedIn: `${IN}typed-two` })
    expect(await queuedIn(world, 'enrich-later')).toMatchObject([{ data: { id: record.id } }])
    const titled = await patch('founders', record, { title: 'Typed' })
    await world.test.db.delete(providerCooldowns)
    answers('typed-two', { ...person('CEO'), delayMs: 1_500 })
    world.outside.requests.length = 0
    await world.test.db.execute(sql`update pgboss.job set start_after = now() where name = 'enrich-later'`)
    await until(() => world.outside.requests.length > 0)
    await patch('founders', titled, { company: 'Typed & Co' })
    await ended('founders', record.id)
    expect(infoOf(await get('founders', record.id))).toEqual({ current_title: 'Typed', current_company: 'Typed & Co' })
  })

  it('survives an import with fill, and is changed by one with update', { tags: 'slow' }, async () => {
    const linkedIn = `${IN}typed-three`
    const record = await add('founders', { name: 'Ann Ash', linkedIn })
    await patch('founders', record, { company: 'Typed' })
    const file = csv('Name,LinkedIn,Company,Title', `Ann Ash,${linkedIn},Imported,Imported`)
    await importFile(world.client, file, { duplicates: 'fill' })
    const filled = await get('founders', record.id)
    expect(infoOf(filled)).toEqual({ current_company: 'Typed', current_title: 'Imported' })
    expect(providersOf(filled)).toEqual({ current_company: 'person', current_title: 'import' })
    await importFile(world.client, file, { duplicates: 'update' })
    expect(providersOf(await get('founders', record.id))).toMatchObject({ current_company: 'import' })
  })

  it('is given back to enrichment by an empty one, and filled by the next refresh', async () => {
    answers('typed-four', person('CEO'))
    const record = await add('founders', { linkedIn: `${IN}typed-four` })
    const typed = await patch('founders', record, { title: 'Typed' })
    const emptied = await patch('founders', typed, { title: '' })
    expect(infoOf(emptied)).toEqual({ current_company: 'CEO & Co' })
    expect(providersOf(emptied)).toEqual({ current_company: 'Harmonic' })
    await refresh('founders', record.id)
    expect(providersOf(await get('founders', record.id))).toMatchObject({ current_title: 'Harmonic' })
  })

  it('as an address or a description of a company is empty for enrichment once it is emptied', {
    tags: 'slow',
  }, async () => {
    const found = { description: 'Found', website: { url: 'https://found.example' } }
    answers('company/orchard', { json: found })
    const record = await add('companies', { name: 'Orchard', website: 'https://typed.example', description: 'Typed' })
    const linked = await patch('companies', record, { linkedIn: 'https://www.linkedin.com/company/orchard' })
    await ended('companies', record.id)
    expect(await get('companies', record.id)).toMatchObject({ website: 'https://typed.example', description: 'Typed' })
    const emptied = await patch('companies', linked, { website: '', description: '' })
    expect(emptied).toMatchObject({ website: null, description: null })
    await ended('companies', record.id)
    const filled = await get('companies', record.id)
    expect(filled.website).toBe('https://found.example')
    expect([infoOf(filled).description, filled.description]).toEqual(['Found', null])
  })
})

describe('A corrected address', () => {
  it('drops what was found by the old one, with the picture, keeps it in the history, and starts a run', {
    tags: 'slow',
  }, async () => {
    const png = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    world.outside.on('GET /face.png', { body: png, headers: { 'content-type': 'image/png' } })
    answers(
      'old-handle',
      person('CEO', { profile_picture_url: `${world.outside.url}/face.png`, linkedin_headline: 'B' }),
    )
    answers('new-handle', { ...person('CTO'), delayMs: 700 })
    const record = await add('founders', { linkedIn: `${IN}old-handle` })
    expect(infoOf(record)).toMatchObject({ bio: 'B', profile_picture_url: expect.any(String) })
    const typed = await patch('founders', record, { company: 'Typed & Co' })
    const corrected = await patch('founders', typed, { linkedIn: `${IN}new-handle` })
    expect(infoOf(corrected)).toEqual({ current_company: 'Typed & Co' })
    expect(corrected.enrichment).toMatchObject({
      isRunning: true,
      sources: { current_company: { provider: 'person' } },
    })
    expect(await world.test.db.select().from(pictures).where(eq(pictures.recordId, record.id))).toEqual([])
    const [entry] = (await world.client.get(`/api/founders/${record.id}/history`)).body
    expect(entry).toMatchObject({ action: 'update' })
    expect(entry.changes).toEqual(
      expect.arrayContaining([
        { field: 'linkedIn', before: `${IN}old-handle`, after: `${IN}new-handle` },
        { field: 'current_title', before: 'CEO', after: null },
        { field: 'bio', before: 'B', after: null },
      ]),
    )
    await ended('founders', record.id)
    const found = await get('founders', record.id)
    expect(infoOf(found)).toEqual({ current_company: 'Typed & Co', current_title: 'CTO' })
    expect(found.version).toBe(corrected.version)
  })

  it('drops nothing and starts nothing when only its spelling changes', async () => {
    answers('same-handle', person('CEO'))
    const record = await add('founders', { linkedIn: `${IN}same-handle` })
    world.outside.requests.length = 0
    const body = await patch('founders', record, { linkedIn: 'http://linkedin.com/in/Same-Handle/?trk=x' })
    expect([infoOf(body), body.enrichment]).toEqual([infoOf(record), record.enrichment])
    expect(await queuedIn(world, 'enrich')).toEqual([])
    expect(world.outside.requests).toEqual([])
  })

  it('of a company drops an address that was found by the old one', async () => {
    const socials = { LINKEDIN: { url: 'https://www.linkedin.com/company/old' } }
    answers('old-site.example', { json: { description: 'Old', socials } })
    answers('new-site.example', { json: { description: 'New' } })
    const record = await add('companies', { name: 'Acme', website: 'https://old-site.example' })
    expect(record.linkedIn).toBe('https://www.linkedin.com/company/old')
    const corrected = await patch('companies', record, { website: 'https://new-site.example' })
    expect([corrected.linkedIn, infoOf(corrected), corrected.enrichment.sources]).toEqual([null, {}, {}])
    await ended('companies', record.id)
    expect(infoOf(await get('companies', record.id))).toEqual({ description: 'New' })
  })

  it('makes a run that asked by the old one write nothing, and asks by the new one', { tags: 'slow' }, async () => {
    answers('late-old', { ...person('Old'), delayMs: 3_500 })
    answers('late-new', person('New'))
    const { body } = await world.client.post('/api/founders', { name: 'Ada', notes: 'n', linkedIn: `${IN}late-old` })
    const record = await get('founders', body.id)
    expect(record.enrichment.isRunning).toBe(true)
    await patch('founders', record, { linkedIn: `${IN}late-new` })
    await ended('founders', record.id)
    expect(infoOf(await get('founders', record.id))).toEqual({ current_title: 'New', current_company: 'New & Co' })
    const { body: entries } = await world.client.get(`/api/founders/${record.id}/history`)
    expect(JSON.stringify(entries)).not.toContain('Old & Co')
  })

  it('starts no job when no provider can answer', async () => {
    answers('known-handle', person('CEO'))
    const record = await add('founders', { linkedIn: `${IN}known-handle` })
    const body = await patch('founders', record, { linkedIn: 'https://example.com/ada' })
    expect([infoOf(body), body.enrichment.isRunning]).toEqual([{}, false])
    expect(await queuedIn(world, 'enrich')).toEqual([])
  })

  it('is asked about by a paid provider that has just answered a refresh', { tags: 'slow' }, async () => {
    const paused = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic', ENRICHMENT_PAUSE_SECONDS: '600' })
    try {
      paused.outside.on('POST /persons', person('CEO'))
      const added = await paused.client.post('/api/founders', { name: 'Ada', notes: 'n', linkedIn: `${IN}paid-old` })
      await paused.client.post(`/api/founders/${added.body.id}/refresh`)
      paused.outside.on('POST /persons', person('CTO'))
      await paused.client.patch(`/api/founders/${added.body.id}`, { linkedIn: `${IN}paid-new`, version: 1 })
      const titleNow = async () =>
        infoOf((await paused.client.get(`/api/founders/${added.body.id}`)).body).current_title
      await until(async () => (await titleNow()) === 'CTO')
    } finally {
      await paused.close()
    }
  })
})
