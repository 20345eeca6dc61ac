import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { type EnrichedApp, startEnrichedApp } from '#server/enrichment/test/enriched-app.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp } from '#server/test/test-app.ts'

// Enrichment end to end: the real adapters over HTTP, with fake providers on this machine.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp()
})
afterAll(() => world.close())

let number = 0
/** A person whom no other test in this file uses. */
const someone = () => `someone-${++number}`

/** The providers' responses about one person. Harmonic and People Data Labs look people up by LinkedIn address. */
const answers = (handle: string, { harmonic, peopleDataLabs }: { harmonic?: object; peopleDataLabs?: object }) => {
  const isAbout = ({ query }: { query: Record<string, string> }) => Object.values(query).join().includes(handle)
  world.outside.on((request) => request.path === '/persons' && isAbout(request), harmonic ?? { status: 404, json: {} })
  world.outside.on(
    (request) => request.path === '/v5/person/enrich' && isAbout(request),
    peopleDataLabs ?? { status: 404, json: {} },
  )
}
const asked = (handle: string) =>
  world.outside.requests.filter(({ query }) => Object.values(query).join().includes(handle)).map(({ path }) => path)

const person = (fields: { title?: string; company?: string; bio?: string; picture?: string }) => ({
  json: {
    profile_picture_url: fields.picture,
    linkedin_headline: fields.bio,
    experience: [{ title: fields.title, company_name: fields.company, is_current_position: true }],
  },
})
const labs = (fields: { title?: string; email?: string }) => ({
  json: { status: 200, likelihood: 9, data: { job_title: fields.title, work_email: fields.email } },
})

const add = (handle: string, more: object = {}) =>
  world.client.post('/api/founders', {
    name: 'Ada',
    linkedIn: `https://www.linkedin.com/in/${handle}`,
    notes: 'Met.',
    ...more,
  })
const refresh = (id: string) => world.client.post(`/api/founders/${id}/refresh`)
const infoOf = async (id: string) => JSON.parse((await world.client.get(`/api/founders/${id}`)).body.additionalInfo)

describe('Adding a founder', () => {
  it('returns enrichedData, stores it as additionalInfo, and names provider and time of each field', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CEO', company: 'Acme', bio: 'Builds.' }) })
    const { status, body } = await add(handle)
    const data = { current_title: 'CEO', current_company: 'Acme', bio: 'Builds.' }
    expect(status).toBe(201)
    expect(body.enrichedData).toEqual(data)
    expect(JSON.parse(body.additionalInfo)).toEqual(data)
    expect(body.enrichment).toMatchObject({ isRunning: false, sources: { bio: { provider: 'Harmonic' } } })
    expect(Date.now() - Date.parse(body.enrichment.sources.bio.at)).toBeLessThan(60_000)
    expect(body.version).toBe(1)
  })

  it('whose run could not be queued is enriched by itself, once the database is back', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CEO' }) })
    await world.test.db.execute(sql`create function refuse_jobs() returns trigger language plpgsql as $$
      begin raise exception using errcode = '57P01'; end $$`)
    await world.test.db.execute(
      sql`create trigger refuse before insert on pgboss.job for each row execute function refuse_jobs()`,
    )
    const { status, body } = await add(handle)
    expect([status, body.additionalInfo]).toEqual([201, null])
    await world.test.db.execute(sql`drop trigger refuse on pgboss.job`)
    await expect.poll(() => infoOf(body.id), { timeout: 10_000 }).toEqual({ current_title: 'CEO' })
    expect(asked(handle).filter((path) => path === '/persons')).toHaveLength(1)
  })

  it('saves the founder, and reports an empty result only in the history', async () => {
    const { status, body } = await add(someone())
    expect(status).toBe(201)
    expect(body).toMatchObject({ additionalInfo: null })
    expect(body).not.toHaveProperty('enrichedData')
    expect(body).not.toHaveProperty('notice')
    expect(body.enrichment.lastRun.notice).toBe('No public data found')
  })

  it('makes the founder searchable by the found company', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ company: `Orchard of ${handle}` }) })
    const { body } = await add(handle)
    const found = await world.client.get(`/api/founders?search=orchard of ${handle}`)
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual([body.id])
  })

  it('looks the founder up by the handle, in any spelling of the address', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CEO' }) })
    const { body } = await add(handle, { linkedIn: `https://uk.linkedin.com/in/${handle.toUpperCase()}/?x=1#top` })
    expect(body.enrichedData).toEqual({ current_title: 'CEO' })
    expect(body.linkedIn).toBe(`https://uk.linkedin.com/in/${handle.toUpperCase()}/?x=1#top`)
  })
})

describe('The order of providers', () => {
  it('requests only open fields from later ones, and calls the first one first', async () => {
    const handle = someone()
    answers(handle, {
      harmonic: person({ title: 'CEO', company: 'Acme' }),
      peopleDataLabs: labs({ title: 'Chief Executive', email: 'ada@acme.example' }),
    })
    const { body } = await add(handle)
    expect(body.enrichedData).toEqual({ current_title: 'CEO', current_company: 'Acme', email: 'ada@acme.example' })
    expect(body.enrichment.sources).toMatchObject({
      current_title: { provider: 'Harmonic' },
      email: { provider: 'People Data Labs' },
    })
    expect(asked(handle)).toEqual(['/persons', '/v5/person/enrich'])
  })

  it('follows ENRICHMENT_PROVIDERS', { tags: 'slow' }, async () => {
    const other = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'people-data-labs, Harmonic' })
    other.outside.on('POST /persons', person({ title: 'CEO' }))
    other.outside.on('GET /v5/person/enrich', labs({ title: 'Chief Executive' }))
    const { body } = await other.client.post('/api/founders', {
      name: 'Ada',
      linkedIn: 'https://www.linkedin.com/in/ada',
      notes: 'Met.',
    })
    expect(body.enrichedData.current_title).toBe('Chief Executive')
    expect(other.outside.requests[0]?.path).toBe('/v5/person/enrich')
    await other.close()
  })

  it('leaves out a provider without its key', { tags: 'slow' }, async () => {
    const other = await startEnrichedApp({ HARMONIC_API_KEY: '' })
    await other.client.post('/api/founders', {
      name: 'Ada',
      linkedIn: 'https://www.linkedin.com/in/ada',
      notes: 'Met.',
    })
    expect(other.outside.requests.map(({ path }) => path)).toEqual(['/v5/person/enrich'])
    await other.close()
  })
})

describe('Refreshing', () => {
  it('replaces older values with newer ones, and keeps values that no provider returns', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CTO', company: 'Acme' }) })
    const { body } = await add(handle)
    answers(handle, { harmonic: person({ title: 'CEO', bio: 'Builds.' }) })
    expect((await refresh(body.id)).body).toEqual({
      success: true,
      enrichedData: { current_title: 'CEO', bio: 'Builds.' },
    })
    expect(await infoOf(body.id)).toEqual({ current_title: 'CEO', current_company: 'Acme', bio: 'Builds.' })
  })

  it('keeps everything when nothing is found any more, and reports that', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CTO' }) })
    const { body } = await add(handle)
    answers(handle, {})
    expect((await refresh(body.id)).body).toEqual({ success: false, error: 'No public data found' })
    expect(await infoOf(body.id)).toEqual({ current_title: 'CTO' })
  })

  it('does not count as an edit', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CTO' }) })
    const { body } = await add(handle)
    await refresh(body.id)
    expect((await world.client.get(`/api/founders/${body.id}`)).body.version).toBe(1)
  })

  it('is for anyone signed in', async () => {
    const { body } = await add(someone())
    const other = world.test.visitor()
    await other.post('/api/auth/login', { email: (await makeAccount(world.test.db)).email, password: PASSWORD })
    expect((await other.post(`/api/founders/${body.id}/refresh`)).status).toBe(200)
  })
})

describe('Enriching with hints', () => {
  it('uses the hints in that run only, and does not store them', async () => {
    const { body } = await add(someone(), { linkedIn: 'https://ada.example' })
    const company = `Orchard ${someone()}`
    world.outside.on(
      ({ path, query }) => path === '/v5/person/enrich' && query.company === company,
      labs({ title: 'CEO' }),
    )
    const answer = await world.client.post(`/api/founders/${body.id}/enrich`, { name: 'Ada King', company })
    expect(answer.body).toEqual({ success: true, enrichedData: { current_title: 'CEO' } })
    expect(world.outside.requests.at(-1)?.query).toMatchObject({ name: 'Ada King', company })
    expect((await world.client.get(`/api/founders/${body.id}`)).body.name).toBe('Ada')
  })

  it('looks a company up by the domain of the hint', async () => {
    const { body } = await world.client.post('/api/companies', { name: 'Acme', notes: 'Met.' })
    const domain = `${someone()}.example`
    world.outside.on(({ path, query }) => path === '/companies' && query.website_domain === domain, {
      json: { headcount: 42 },
    })
    const answer = await world.client.post(`/api/companies/${body.id}/enrich`, { domain })
    expect(answer.body).toEqual({ success: true, enrichedData: { employee_count: 42 } })
  })
})

describe('A company', () => {
  const company = (domain: string, json: object) =>
    world.outside.on(({ path, query }) => path === '/companies' && query.website_domain === domain, { json })
  const addCompany = (more: object) => world.client.post('/api/companies', { name: 'Acme', notes: 'Met.', ...more })

  it('gets industry, employees, year, headquarters, description and LinkedIn', async () => {
    const domain = `${someone()}.example`
    company(domain, {
      tags_v2: [{ display_value: 'Agriculture', is_primary_tag: true }],
      headcount: 42,
      founding_date: { date: '2019-05-01' },
      location: { address_formatted: '1 Market St, San Francisco', city: 'San Francisco' },
      description: 'Counts apples.',
      socials: { LINKEDIN: { url: 'https://www.linkedin.com/company/orchard' } },
    })
    const { body } = await addCompany({ website: `https://www.${domain}/about` })
    expect(JSON.parse(body.additionalInfo)).toEqual({
      industry: 'Agriculture',
      employee_count: 42,
      founded_year: 2019,
      headquarters: { address_formatted: '1 Market St, San Francisco', city: 'San Francisco' },
      description: 'Counts apples.',
    })
    expect(body.linkedIn).toBe('https://www.linkedin.com/company/orchard')
    expect(body.enrichedData.linkedIn).toBe(body.linkedIn)
  })

  it('keeps the website and the description that a person typed', async () => {
    const domain = `${someone()}.example`
    company(domain, { description: 'Counts apples.', website: { url: 'https://elsewhere.example' }, headcount: 3 })
    const typed = { website: `https://${domain}`, description: 'My own words.' }
    const { body } = await addCompany(typed)
    expect(body).toMatchObject({ ...typed, enrichedData: { employee_count: 3 } })
    expect(JSON.parse(body.additionalInfo)).toEqual({ employee_count: 3 })
  })

  it('gets a website when no person typed one, and later a newer one', async () => {
    const { body } = await addCompany({})
    const domain = `${someone()}.example`
    const enrich = () => world.client.post(`/api/companies/${body.id}/enrich`, { domain })
    company(domain, { website: { url: 'https://old.example' } })
    await enrich()
    company(domain, { website: { url: 'https://new.example' } })
    expect((await enrich()).body.enrichedData).toEqual({ website: 'https://new.example' })
    const { body: now } = await world.client.get(`/api/companies/${body.id}`)
    expect(now.website).toBe('https://new.example')
    expect(now.enrichment.sources.website.provider).toBe('Harmonic')
  })
})

describe('When no source is set up', () => {
  it('responds immediately and reports that', { tags: 'slow' }, async () => {
    const none = await startTestApp()
    const client = none.visitor()
    await client.post('/api/auth/login', { email: (await makeAccount(none.db)).email, password: PASSWORD })
    const { status, body } = await client.post('/api/founders', {
      name: 'Ada',
      linkedIn: 'https://a.example',
      notes: 'Met.',
    })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('notice')
    expect((await client.post(`/api/founders/${body.id}/refresh`)).body).toEqual({
      success: false,
      error: 'No source of public data is set up',
    })
    await none.close()
  })
})

describe('With no key and no network', () => {
  it('adding and refreshing respond in under 3 s, and the refresh reports an empty result with the reason', {
    tags: 'slow',
    timeout: 30_000,
  }, async () => {
    const offline = await startEnrichedApp({
      ENRICHMENT_PROVIDERS: 'website,wikidata,github',
      WIKIDATA_BASE_URL: 'http://10.255.255.1',
      GITHUB_BASE_URL: 'http://127.0.0.1:9',
      FETCH_ALLOW_HOSTS: '',
    })
    const startedAt = Date.now()
    const input = { name: 'Acme', website: 'https://acme.invalid', notes: 'See github.com/acme.' }
    const { status, body } = await offline.client.post('/api/companies', input)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('notice')
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    const refreshedAt = Date.now()
    expect((await offline.client.post(`/api/companies/${body.id}/refresh`)).body).toEqual({
      success: false,
      error: expect.stringMatching(/^(?!No public data).*GitHub could not be reached\. Try again later/),
    })
    expect(Date.now() - refreshedAt).toBeLessThan(3_000)
    await offline.close()
  })
})

describe('Records whose last lookup is older than ENRICHMENT_REFRESH_DAYS', () => {
  it('are looked up again automatically, and no others', { tags: 'slow', timeout: 30_000 }, async () => {
    const handle = someone()
    const [old, recent] = [`old-${handle}`, `recent-${handle}`]
    const kept = await startEnrichedApp({ ENRICHMENT_REFRESH_DAYS: '30' })
    kept.outside.on('POST /persons', person({ title: 'CEO' }))
    const address = (name: string) => `https://www.linkedin.com/in/${name}`
    const { id } = await makeFounder(kept.test.db, { linkedIn: address(old) })
    await makeFounder(kept.test.db, { linkedIn: address(recent) })
    const unknown = await makeFounder(kept.test.db, { linkedIn: 'https://ada.example' })
    const longAgo = new Date(Date.now() - 31 * 86_400_000)
    await kept.test.db
      .update(records)
      .set({ enrichedAt: longAgo })
      .where(inArray(records.id, [id, unknown.id]))
    await kept.test.app.listen({ port: 0, host: '127.0.0.1' })
    for (let waited = 0; kept.outside.requests.length === 0 && waited < 15_000; waited += 50) await pause(50)
    await pause(500)
    const asked = kept.outside.requests.filter(({ path }) => path === '/persons').map(({ query }) => query.linkedin_url)
    expect(asked).toEqual([address(old)])
    // A record that no source covers is marked as done without a run.
    const { body: history } = await kept.client.get(`/api/founders/${unknown.id}/history`)
    expect(history.map(({ action }: { action: string }) => action)).toEqual(['create'])
    const [row] = await kept.test.db.select().from(records).where(eq(records.id, unknown.id))
    expect(row?.enrichedAt.getTime()).toBeGreaterThan(longAgo.getTime())
    const schedules = await rowsOf(kept.test.db, sql`select cron from pgboss.schedule where name = 'enrich-upkeep'`)
    expect(schedules).toEqual([{ cron: '0 * * * *' }])
    await kept.close()
  })
})

describe('A picture', () => {
  const picture = async (handle: string) => {
    const { default: sharp } = await import('sharp')
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#147' } })
      .png()
      .toBuffer()
    world.outside.on(`GET /${handle}.png`, { headers: { 'content-type': 'image/png' }, body: bytes })
    return `${world.outside.url}/${handle}.png`
  }

  it('is fetched once, and served from our own address in the displayed sizes, cacheable', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ picture: await picture(handle) }) })
    const { body } = await add(handle)
    const { profile_picture_url: address } = JSON.parse(body.additionalInfo)
    expect(address).toMatch(new RegExp(`^/api/founders/${body.id}/picture\\?t=\\d{13}$`))
    expect(JSON.stringify(body)).not.toContain(world.outside.url)

    const served = await world.client.get(`${address}&size=112`)
    expect(served).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
    expect(served.headers['cache-control']).toBe('private, no-cache')
    expect(served.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
    const again = await world.client.get(address, { headers: { 'if-none-match': served.headers.etag as string } })
    expect(again.status).toBe(200)
    const same = await world.client.get(`${address}&size=112`, {
      headers: { 'if-none-match': served.headers.etag as string },
    })
    expect(same.status).toBe(304)
    expect(world.outside.requests.filter(({ path }) => path === `/${handle}.png`)).toHaveLength(1)
  })

  it('is ignored when it cannot be read, and the older one stays', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ title: 'CEO', picture: `${world.outside.url}/missing.png` }) })
    const { body } = await add(handle)
    expect(body.enrichedData).toEqual({ current_title: 'CEO' })
    expect((await world.client.get(`/api/founders/${body.id}/picture`)).status).toBe(404)
  })

  it('is served to signed-in people only', async () => {
    const { body } = await add(someone())
    expect((await world.test.visitor().get(`/api/founders/${body.id}/picture`)).status).toBe(401)
  })

  it('is deleted with its founder, also for a browser that has kept it, and so after a sign-out', async () => {
    const handle = someone()
    answers(handle, { harmonic: person({ picture: await picture(handle) }) })
    const { body } = await add(handle)
    const address = `/api/founders/${body.id}/picture`
    const headers = { 'if-none-match': (await world.client.get(address)).headers.etag as string }
    expect((await world.client.get(address, { headers })).status).toBe(304)
    expect((await world.test.visitor().get(address, { headers })).status).toBe(401)
    await world.client.delete(`/api/founders/${body.id}`)
    expect((await world.client.get(address, { headers })).status).toBe(404)
  })
})

describe('Names and keys', () => {
  it('finds a person by any spelling of the LinkedIn address', async () => {
    const handle = someone()
    const { body } = await add(handle)
    for (const spelling of [`linkedin.com/in/${handle}/`, `https://uk.linkedin.com/in/${handle.toUpperCase()}?x=1`]) {
      const { body: found } = await world.client.get(`/api/founders?linkedIn=${encodeURIComponent(spelling)}`)
      expect(found.map(({ id }: { id: string }) => id)).toEqual([body.id])
    }
    expect((await world.client.get('/api/founders?linkedIn=unknown')).body).toEqual([])
  })

  it('finds a company by any address on its domain', async () => {
    const domain = `${someone()}.example`
    const { body } = await world.client.post('/api/companies', {
      name: 'Acme',
      website: `https://${domain}`,
      notes: 'Met.',
    })
    const { body: found } = await world.client.get(`/api/companies?website=http://www.${domain}/about`)
    expect(found.map(({ id }: { id: string }) => id)).toEqual([body.id])
  })

  it('shows no key in any response', async () => {
    const handle = someone()
    answers(handle, { harmonic: { status: 401, json: { message: 'Invalid key key-of-harmonic' } } })
    const { text } = await add(handle)
    expect(text).not.toContain('key-of-')
  })
})
