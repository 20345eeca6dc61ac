import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { behavesAsProvider } from '#server/enrichment/providers/provider-behaviour.ts'
import { openProvider } from '#server/enrichment/providers/test/open-provider.ts'
import { Company, Person } from './client.ts'
import companyAnswer from './fixtures/company.json' with { type: 'json' }
import notFound from './fixtures/not-found.json' with { type: 'json' }
import personAnswer from './fixtures/person.json' with { type: 'json' }
import { peopleDataLabs } from './people-data-labs.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

describe('People Data Labs', () => {
  behavesAsProvider({
    definition: peopleDataLabs,
    keyHeader: 'x-api-key',
    founder: {
      asks: 'GET /v5/person/enrich',
      query: { profile: 'https://www.linkedin.com/in/jane-doe', titlecase: 'true' },
      answer: personAnswer,
      findings: {
        current_title: 'Co-Founder And Chief Executive Officer',
        current_company: 'Orchard',
        bio: 'Builds tools for orchards.',
        email: 'jane@orchard.example',
        website: 'https://orchard.example',
      },
      read: (answer) => toFounder(Person.parse(answer)),
    },
    company: {
      asks: 'GET /v5/company/enrich',
      query: { website: 'orchard.example', titlecase: 'true' },
      answer: companyAnswer,
      findings: {
        industry: 'Software Development',
        employee_count: 42,
        founded_year: 2019,
        headquarters: { address_formatted: 'San Francisco, California, United States', city: 'San Francisco' },
        description: 'Software that counts apples.',
        website: 'https://orchard.example',
        linkedIn: 'https://www.linkedin.com/company/orchard',
      },
      read: (answer) => toCompany(Company.parse(answer)),
    },
    misses: [{ title: 'its own words for it', status: 404, json: notFound }],
    refusals: [
      {
        title: 'credits that are used up',
        status: 402,
        json: { status: 402, error: { type: 'payment_required', message: 'You have hit your account maximum' } },
        reason: 'no_credits',
        isRetryable: false,
      },
      {
        title: 'a window that ended long ago by its clock',
        status: 429,
        headers: { 'x-ratelimit-reset': '2020-01-01T00:00:00Z' },
        reason: 'rate_limited',
        isRetryable: true,
        retryAfterSeconds: 1,
      },
    ],
  })

  it.each([
    ['as a stamp', (time: string) => time],
    ['as a stamp without its zone', (time: string) => time.replace('T', ' ').replace(/\..*/, '')],
    ['one a window', (time: string) => `{'minute': '${time}'}`],
  ])('returns the wait when the response has the end of the window %s, in any time zone', async (_, write) => {
    vi.stubEnv('TZ', 'Asia/Tokyo')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { server, askFounder } = await openProvider(peopleDataLabs)
    const reset = write(new Date(Date.now() + 40_000).toISOString())
    server.on(() => true, { status: 429, headers: { 'x-ratelimit-reset': reset } })
    const outcome = await askFounder()
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterSeconds: expect.closeTo(39, -1) })
  })

  it('looks a founder up by name and company when the LinkedIn profile is unknown', async () => {
    const { server, askFounder } = await openProvider(peopleDataLabs)
    await askFounder({ linkedIn: null })
    expect(server.requests[0]?.query).toEqual({
      name: 'Jane Doe',
      company: 'Orchard',
      min_likelihood: '6',
      titlecase: 'true',
    })
  })

  it('cannot look up a founder by name alone', async () => {
    const { server, askFounder } = await openProvider(peopleDataLabs)
    expect(await askFounder({ linkedIn: null, company: null })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('looks a company up by its LinkedIn address, else by its name, when its domain is unknown', async () => {
    const { server, askCompany } = await openProvider(peopleDataLabs)
    await askCompany({ domain: null })
    await askCompany({ domain: null, linkedIn: null })
    expect(server.requests.map(({ query }) => query)).toEqual([
      { profile: 'https://www.linkedin.com/company/orchard', titlecase: 'true' },
      { name: 'Orchard', min_likelihood: '6', titlecase: 'true' },
    ])
  })

  it('treats true as no value: the field exists, but the plan does not include it', () => {
    const data = {
      work_email: true,
      recommended_personal_email: true,
      emails: true,
      summary: true,
      headline: 'Orchards',
    }
    expect(toFounder(Person.parse({ data }))).toEqual({ bio: 'Orchards' })
  })

  it('falls back to the range of employees and the parts of the address', () => {
    const { employee_count, headquarters } = toCompany(
      Company.parse({ size: '51-200', location: { street_address: true, locality: 'Oslo', country: 'Norway' } }),
    )
    expect(employee_count).toBe('51-200')
    expect(headquarters).toEqual({ address_formatted: 'Oslo, Norway', city: 'Oslo' })
  })
})
