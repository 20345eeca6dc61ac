import { describe, expect, it } from 'vitest'
import { behavesAsProvider } from '#server/enrichment/providers/provider-behaviour.ts'
import { openProvider } from '#server/enrichment/providers/test/open-provider.ts'
import { Company, Person } from './client.ts'
import companyAnswer from './fixtures/company.json' with { type: 'json' }
import personAnswer from './fixtures/person.json' with { type: 'json' }
import queued from './fixtures/queued.json' with { type: 'json' }
import { harmonic } from './harmonic.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

describe('Harmonic', () => {
  behavesAsProvider({
    definition: harmonic,
    keyHeader: 'apikey',
    founder: {
      asks: 'POST /persons',
      query: { linkedin_url: 'https://www.linkedin.com/in/jane-doe' },
      answer: personAnswer,
      findings: {
        profile_picture_url: 'https://pictures.example.com/jane.jpg',
        current_title: 'Co-founder & CEO',
        current_company: 'Orchard',
        bio: 'Building tools for orchards',
        email: 'jane@orchard.example',
        website: 'https://jane.example',
      },
      read: (answer) => toFounder(Person.parse(answer)),
    },
    company: {
      asks: 'POST /companies',
      query: { website_domain: 'orchard.example' },
      answer: companyAnswer,
      findings: {
        industry: 'Agriculture',
        employee_count: 42,
        founded_year: 2019,
        headquarters: { address_formatted: '1 Market St, San Francisco, CA, USA', city: 'San Francisco' },
        description: 'Software that counts apples.',
        website: 'https://orchard.example',
        linkedIn: 'https://www.linkedin.com/company/orchard',
      },
      read: (answer) => toCompany(Company.parse(answer)),
    },
    refusals: [
      { title: 'a record that it looks up now', status: 404, json: queued, reason: 'pending', isRetryable: true },
      {
        title: 'a quota that is used up',
        status: 429,
        json: { error: 'MONTHLY_QUOTA_INSUFFICIENT' },
        reason: 'no_credits',
        isRetryable: false,
      },
      {
        title: 'a key that its gateway refuses',
        status: 403,
        json: { message: 'Forbidden' },
        reason: 'auth',
        isRetryable: false,
      },
    ],
  })

  it('looks a company up by its LinkedIn address when its domain is unknown', async () => {
    const { server, askCompany } = await openProvider(harmonic)
    await askCompany({ domain: null })
    expect(server.requests[0]?.query).toEqual({ linkedin_url: 'https://www.linkedin.com/company/orchard' })
  })

  it('cannot look anything up by name alone', async () => {
    const { server, askFounder, askCompany } = await openProvider(harmonic)
    expect(await askFounder({ linkedIn: null })).toBeUndefined()
    expect(await askCompany({ domain: null, linkedIn: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  const industryOf = (tags: unknown) => toCompany(Company.parse({ tags_v2: tags })).industry

  it('uses the primary tag as the industry, else a tag of an industry or a market', () => {
    const tags = [
      { display_value: 'Farming', type: 'INDUSTRY' },
      { display_value: 'Robots', is_primary_tag: true },
    ]
    expect(industryOf(tags)).toBe('Robots')
    expect(industryOf(tags.slice(0, 1))).toBe('Farming')
    expect(industryOf([{ display_value: 'B2B', type: 'CUSTOMER_TYPE' }])).toBeUndefined()
  })

  it('accepts headquarters that are only text, and ignores an invalid website', () => {
    const { headquarters, website } = toCompany(
      Company.parse({ headquarters: 'Oslo, Norway', website: { url: 'https://gone.example', is_broken: true } }),
    )
    expect(headquarters).toEqual({ address_formatted: 'Oslo, Norway' })
    expect(website).toBeUndefined()
  })

  it('accepts websites as text and as objects', () => {
    expect(toFounder(Person.parse({ websites: ['jane.example'] })).website).toBe('https://jane.example')
    expect(toFounder(Person.parse({ websites: [{}, { url: 'http://jane.example' }] })).website).toBe(
      'http://jane.example',
    )
  })
})
