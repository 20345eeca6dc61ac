import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { CompanyFindings } from '#contract/company.ts'
import type { CompanySubject } from '#server/enrichment/provider.ts'
import { type ServedReply, startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { Entity } from './client.ts'
import entities from './fixtures/entities.json' with { type: 'json' }
import labels from './fixtures/labels.json' with { type: 'json' }
import search from './fixtures/search.json' with { type: 'json' }
import { bestMatch } from './match.ts'
import { toCompany } from './to-company.ts'
import { wikidata } from './wikidata.ts'

const orchard: CompanySubject = {
  ...{ name: 'Orchard', domain: 'orchard.example', website: null },
  ...{ linkedIn: 'orchard', github: null },
}
const nothing = { kind: 'not-found' }
const unavailable = { kind: 'failed', reason: 'unavailable', isRetryable: true }

type Replies = { search?: ServedReply; entities?: ServedReply; labels?: ServedReply }

async function createWikidata(replies: Replies = {}) {
  const server = await startProviderServer()
  onTestFinished(server.close)
  server.on(({ query }) => query.action === 'wbsearchentities', replies.search ?? { json: search })
  server.on(({ query }) => query.action === 'wbgetentities', replies.entities ?? { json: entities })
  server.on(({ query }) => query.props === 'labels', replies.labels ?? { json: labels })
  const guardedClient = { get: () => Promise.reject(new Error('Not to be asked')) }
  const contact = 'https://sourcebook.example.com'
  const provider = wikidata.create({ baseUrl: server.url, key: '', contact, guardedClient })
  const ask = (subject: Partial<CompanySubject> = {}, patienceMs = 5000) =>
    provider.askCompany?.({ ...orchard, ...subject })?.(AbortSignal.timeout(patienceMs))
  return { server, ask, provider }
}

const company = entities.entities.Q200

describe('Wikidata, for a company', () => {
  it('finds the data of the item with its domain', async () => {
    const { server, ask } = await createWikidata()
    expect(await ask({ linkedIn: null })).toEqual({
      kind: 'found',
      findings: {
        industry: 'agriculture',
        employee_count: 42,
        founded_year: 2019,
        headquarters: { city: 'San Francisco' },
        description: 'American software company',
        website: 'https://www.orchard.example/',
        linkedIn: 'https://www.linkedin.com/company/orchard',
      },
    })
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('GET /w/api.php'))
    expect(server.requests.map(({ query }) => query)).toMatchObject([
      { action: 'wbsearchentities', search: 'Orchard', language: 'en', type: 'item', limit: '7', format: 'json' },
      { action: 'wbgetentities', ids: 'Q100|Q200', props: 'descriptions|claims', format: 'json' },
      { action: 'wbgetentities', ids: 'Q11451|Q62', props: 'labels', format: 'json' },
    ])
    expect(server.requests[0]?.headers['user-agent']).toMatch(/^Sourcebook\/\S+ \(https:\/\/sourcebook\.example\.com; /)
  })

  it('also finds it by its page on LinkedIn', async () => {
    expect(await (await createWikidata()).ask({ domain: null })).toMatchObject({ kind: 'found' })
  })

  it('cannot look it up by name alone', async () => {
    const { server, ask } = await createWikidata()
    expect(await ask({ domain: null, linkedIn: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('finds nothing in other companies of the same name', async () => {
    const { server, ask } = await createWikidata()
    expect(await ask({ domain: 'orchard.test', linkedIn: 'orchard-test' })).toEqual(nothing)
    expect(server.requests).toHaveLength(2)
  })

  it('searches without the legal form', async () => {
    const { server, ask } = await createWikidata()
    await ask({ name: 'Orchard, Inc.' })
    expect(server.requests[0]?.query.search).toBe('Orchard')
  })

  it('finds nothing when no item has the name', async () => {
    const { server, ask } = await createWikidata({ search: { json: { search: [], success: 1 } } })
    expect(await ask()).toEqual(nothing)
    expect(server.requests).toHaveLength(1)
  })

  it('keeps its findings when it cannot get the names of places and industries', async () => {
    const outcome = await (await createWikidata({ labels: { status: 500 } })).ask()
    expect(outcome).toMatchObject({ kind: 'found', findings: { founded_year: 2019 } })
    expect(outcome).not.toHaveProperty('findings.industry')
  })

  it('does not look up founders', async () => {
    expect((await createWikidata()).provider).not.toHaveProperty('askFounder')
  })
})

const value = (value: unknown, rest: object = {}) => ({
  rank: 'normal',
  mainsnak: { snaktype: 'value', datavalue: { value } },
  ...rest,
})
const withClaims = (claims: object) => Entity.parse({ ...company, claims: { ...company.claims, ...claims } })

describe('The item of the company', () => {
  const person = withClaims({ P31: [value({ id: 'Q5' })] })
  const product = Entity.parse({ claims: { P856: company.claims.P856, P571: company.claims.P571 } })
  const meant = Entity.parse(company)

  it('is not a person with the same website', () => {
    expect(bestMatch([person], orchard)).toBeUndefined()
  })

  it('is not a product with the same website', () => {
    expect(bestMatch([product, meant], orchard)).toBe(meant)
  })

  it('is not one with a deprecated website', () => {
    const wrong = withClaims({ P856: [value('https://orchard.example', { rank: 'deprecated' })], P4264: [] })
    expect(bestMatch([wrong], orchard)).toBeUndefined()
  })

  it('is not one with a page on a shared site', () => {
    const wrong = withClaims({ P856: [value('https://github.com/orchard')], P4264: [] })
    expect(bestMatch([wrong], { ...orchard, domain: 'github.com' })).toBeUndefined()
  })
})

describe('The chosen value among several', () => {
  const of = (claims: object) => toCompany(withClaims(claims), {})
  const ended = { qualifiers: { P582: [value('+2020-01-01T00:00:00Z').mainsnak] } }

  it('is the preferred one', () => {
    const P856 = [value('https://old.example'), value('https://new.example', { rank: 'preferred' })]
    expect(of({ P856 }).website).toBe('https://new.example')
  })

  it('is never a deprecated one', () => {
    expect(of({ P1128: [value({ amount: '+9' }, { rank: 'deprecated' })] }).employee_count).toBeUndefined()
  })

  it('is not a former one', () => {
    expect(of({ P856: [value('https://old.example', ended), value('https://now.example')] }).website).toBe(
      'https://now.example',
    )
  })

  it('is the most recent number of employees', () => {
    const dated = (amount: string, time: string) =>
      value({ amount }, { qualifiers: { P585: [value({ time }).mainsnak] } })
    const P1128 = [dated('+5', '+2019-01-01T00:00:00Z'), value({ amount: '+3' }), dated('+9', '+2021-01-01T00:00:00Z')]
    expect(of({ P1128 }).employee_count).toBe(9)
  })

  it('is not a year of which only the century is known', () => {
    expect(of({ P571: [value({ time: '+1900-00-00T00:00:00Z', precision: 7 })] }).founded_year).toBeUndefined()
  })

  it('is undefined where the value is marked as unknown', () => {
    expect(of({ P571: [{ rank: 'normal', mainsnak: { snaktype: 'somevalue' } }] }).founded_year).toBeUndefined()
  })
})

describe('A failure of Wikidata', () => {
  it.each<[string, ServedReply, object]>([
    [
      'is busy',
      { headers: { 'retry-after': '5' }, json: { error: { code: 'maxlag', info: 'Waiting for a database' } } },
      { ...unavailable, retryAfterSeconds: 5 },
    ],
    ['reports a rate limit', { json: { error: { code: 'ratelimited' } } }, { ...unavailable, reason: 'rate_limited' }],
    ['returns 429', { status: 429, json: {} }, { ...unavailable, reason: 'rate_limited' }],
    ['refuses the client', { status: 403, body: 'Forbidden' }, { ...unavailable, isRetryable: false }],
    ['returns 503', { status: 503, body: '<h1>Wikimedia Error</h1>' }, unavailable],
    ['sends truncated JSON', { body: '{"search":[' }, unavailable],
    ['returns another shape', { json: [] }, unavailable],
    ['is too slow', { delayMs: 60_000, json: search }, unavailable],
  ])('is reported when it %s', async (_, reply, failure) => {
    expect(await (await createWikidata({ search: reply })).ask({}, 300)).toMatchObject(failure)
  })

  it('is reported also at the second request', async () => {
    expect(await (await createWikidata({ entities: { status: 503 } })).ask()).toMatchObject(unavailable)
  })
})

describe('Any response of Wikidata', () => {
  it('loses only the claim with the wrong type', () => {
    for (const property of Object.keys(company.claims)) {
      for (const wrong of [null, 7, {}, [null], [[]], [{ mainsnak: 3 }], [value({ id: 9, time: {}, amount: [] })]]) {
        const findings = toCompany(withClaims({ [property]: wrong }), {})
        expect(findings.description).toBe('American software company')
        expect(Object.values(findings).filter((one) => one !== undefined).length).toBeGreaterThanOrEqual(4)
      }
    }
  })

  it('yields values that the contract accepts', { tags: 'slow' }, () => {
    const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))
    const claim = fc.record({ rank: fc.constantFrom('normal', 'preferred', 7), value: anything, amount: fc.string() })
    const claims = fc.dictionary(
      fc.constantFrom('P31', 'P159', 'P452', 'P571', 'P856', 'P1128', 'P4264'),
      fc.array(claim.map(({ rank, value: one, amount }) => value(one ?? { amount, time: one, id: one }, { rank }))),
    )
    fc.assert(
      fc.property(claims, anything, (claims, value) => {
        const entity = Entity.parse({ claims, descriptions: { en: { value } } })
        bestMatch([entity], orchard)
        const findings = toCompany(entity, {})
        expect(z.strictObject(CompanyFindings.shape).safeParse(findings).error).toBeUndefined()
      }),
    )
  })
})
