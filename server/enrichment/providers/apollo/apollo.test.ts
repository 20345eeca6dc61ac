import { describe, expect, it } from 'vitest'
import { behavesAsProvider } from '#server/enrichment/providers/provider-behaviour.ts'
import { openProvider } from '#server/enrichment/providers/test/open-provider.ts'
import { apollo } from './apollo.ts'
import { Company, Person } from './client.ts'
import companyAnswer from './fixtures/company.json' with { type: 'json' }
import personAnswer from './fixtures/person.json' with { type: 'json' }
import planRefused from './fixtures/plan-refused.json' with { type: 'json' }
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

const TOO_MANY = { message: 'The maximum number of api calls allowed for api/v1/people/match is 50 times per minute.' }

describe('Apollo', () => {
  behavesAsProvider({
    definition: apollo,
    keyHeader: 'x-api-key',
    founder: {
      asks: 'POST /people/match',
      query: { linkedin_url: 'https://www.linkedin.com/in/jane-doe', reveal_personal_emails: 'false' },
      answer: personAnswer,
      findings: {
        profile_picture_url: 'https://pictures.example.com/jane.jpg',
        current_title: 'Co-founder & CEO',
        current_company: 'Orchard',
        bio: 'Building tools for orchards',
        email: 'jane@orchard.example',
        website: 'http://www.orchard.example',
      },
      read: (answer) => toFounder(Person.parse(answer)),
    },
    company: {
      asks: 'GET /organizations/enrich',
      query: { domain: 'orchard.example' },
      answer: companyAnswer,
      findings: {
        industry: 'information technology & services',
        employee_count: 42,
        founded_year: 2019,
        headquarters: { address_formatted: '1 Market St, San Francisco, California 94105, US', city: 'San Francisco' },
        description: 'Software that counts apples.',
        website: 'http://www.orchard.example',
        linkedIn: 'https://www.linkedin.com/company/orchard',
      },
      read: (answer) => toCompany(Company.parse(answer)),
    },
    misses: [
      { title: '200 with null for a record', json: { person: null, organization: null } },
      { title: '200 without a record', json: {} },
    ],
    refusals: [
      { title: 'a plan without this question', status: 403, json: planRefused, reason: 'auth', isRetryable: false },
      {
        title: 'a minute that is used up',
        status: 429,
        headers: { 'x-rate-limit-minute': '50', 'x-minute-requests-left': '0', 'x-hourly-requests-left': '150' },
        json: TOO_MANY,
        reason: 'rate_limited',
        isRetryable: true,
        retryAfterSeconds: 60,
      },
      {
        title: 'a minute that is used up, with Retry-After',
        status: 429,
        headers: { 'x-minute-requests-left': '0', 'retry-after': '12' },
        json: TOO_MANY,
        reason: 'rate_limited',
        isRetryable: true,
        retryAfterSeconds: 12,
      },
      {
        title: 'a day that is used up',
        status: 429,
        headers: { 'x-minute-requests-left': '0', 'x-24-hour-requests-left': '0' },
        json: TOO_MANY,
        reason: 'rate_limited',
        isRetryable: true,
        retryAfterSeconds: 86_400,
      },
    ],
  })

  it('looks a founder up by name and company when the LinkedIn profile is unknown', async () => {
    const { server, askFounder } = await openProvider(apollo)
    await askFounder({ linkedIn: null })
    expect(server.requests[0]?.query).toEqual({
      name: 'Jane Doe',
      organization_name: 'Orchard',
      reveal_personal_emails: 'false',
    })
  })

  it('cannot look up a founder by name alone, or a company without a domain', async () => {
    const { server, askFounder, askCompany } = await openProvider(apollo)
    expect(await askFounder({ linkedIn: null, company: null })).toBeUndefined()
    expect(await askCompany({ domain: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('uses only a verified e-mail address', () => {
    const emailOf = (email_status: unknown) =>
      toFounder(Person.parse({ person: { email: 'jane@orchard.example', email_status } })).email
    expect(emailOf('verified')).toBe('jane@orchard.example')
    expect(['guessed', 'unavailable', null, true].map(emailOf)).toEqual(Array(4).fill(undefined))
  })

  it('does not use the grey placeholder as a picture', () => {
    const photo_url = 'https://static.licdn.com/aero-v1/sc/h/9c8pery4andzj6ohjkjp54ma2'
    expect(toFounder(Person.parse({ person: { photo_url } })).profile_picture_url).toBeUndefined()
  })

  it('falls back to the current job and the parts of the address', () => {
    const person = { employment_history: [{ current: true, title: 'CEO', organization_name: 'Orchard' }] }
    expect(toFounder(Person.parse({ person }))).toEqual({ current_title: 'CEO', current_company: 'Orchard' })
    const organization = { street_address: '1 Market St', city: 'Oslo', state: null, country: 'Norway' }
    expect(toCompany(Company.parse({ organization })).headquarters).toEqual({
      address_formatted: '1 Market St, Oslo, Norway',
      city: 'Oslo',
    })
  })
})
