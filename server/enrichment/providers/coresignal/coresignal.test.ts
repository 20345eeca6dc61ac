import { describe, expect, it } from 'vitest'
import { behavesAsProvider } from '#server/enrichment/providers/provider-behaviour.ts'
import { openProvider } from '#server/enrichment/providers/test/open-provider.ts'
import { Company, Person } from './client.ts'
import { coresignal } from './coresignal.ts'
import companyAnswer from './fixtures/company.json' with { type: 'json' }
import noCredits from './fixtures/no-credits.json' with { type: 'json' }
import personAnswer from './fixtures/person.json' with { type: 'json' }
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

describe('Coresignal', () => {
  behavesAsProvider({
    definition: coresignal,
    keyHeader: 'apikey',
    founder: {
      asks: 'GET /cdapi/v2/employee_multi_source/collect/jane-doe',
      answer: personAnswer,
      findings: {
        profile_picture_url: 'https://pictures.example.com/jane.jpg',
        current_title: 'Co-founder & CEO',
        current_company: 'Orchard',
        bio: 'Builds tools for orchards.',
        email: 'jane@orchard.example',
        website: 'https://jane.example',
      },
      read: (answer) => toFounder(Person.parse(answer)),
    },
    company: {
      asks: 'GET /cdapi/v2/company_multi_source/enrich',
      query: { website: 'orchard.example' },
      answer: companyAnswer,
      findings: {
        industry: 'Software Development',
        employee_count: 42,
        founded_year: 2019,
        headquarters: {
          address_formatted: '1 Market St; San Francisco, California 94105, US',
          city: 'San Francisco',
        },
        description: 'Software that counts apples.',
        website: 'https://www.orchard.example',
        linkedIn: 'https://www.linkedin.com/company/orchard',
      },
      read: (answer) => toCompany(Company.parse(answer)),
    },
    refusals: [
      { title: 'credits that are used up', status: 402, json: noCredits, reason: 'no_credits', isRetryable: false },
    ],
  })

  it('looks a company up by its LinkedIn name when its domain is unknown', async () => {
    const { server, askCompany } = await openProvider(coresignal)
    await askCompany({ domain: null, linkedIn: 'søt frukt' })
    expect(server.requests[0]).toMatchObject({
      path: `/base/cdapi/v2/company_multi_source/collect/${encodeURIComponent('søt frukt')}`,
      query: {},
    })
  })

  it('cannot look anything up by name alone, or by dots that would change the path', async () => {
    const { server, askFounder, askCompany } = await openProvider(coresignal)
    expect(await askFounder({ linkedIn: null })).toBeUndefined()
    expect(await askFounder({ linkedIn: '..' })).toBeUndefined()
    expect(await askCompany({ domain: null, linkedIn: null })).toBeUndefined()
    expect(await askCompany({ domain: null, linkedIn: '..' })).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('escapes a name in the path', async () => {
    const { server, askFounder } = await openProvider(coresignal)
    await askFounder({ linkedIn: '../x?fields=y#z' })
    expect(server.requests[0]).toMatchObject({
      path: `/base/cdapi/v2/employee_multi_source/collect/${encodeURIComponent('../x?fields=y#z')}`,
      query: {},
    })
  })

  it('uses nothing of a deleted or private profile', () => {
    expect(toFounder(Person.parse({ ...personAnswer, is_deleted: 1 }))).toEqual({})
  })

  it('does not use a picture that is embedded in the record', () => {
    expect(toFounder(Person.parse({ picture_url: 'iVBORw0KGgoAAAANSUhEUg==' })).profile_picture_url).toBeUndefined()
  })

  it('falls back to the range of employees and the names of the clean tier', () => {
    const { employee_count, founded_year, headquarters } = toCompany(
      Company.parse({ size_range: '11-50 employees', founded: '2019', location_hq_raw_address: 'Oslo, Norway' }),
    )
    expect(employee_count).toBe('11-50')
    expect(founded_year).toBe(2019)
    expect(headquarters).toEqual({ address_formatted: 'Oslo, Norway' })
  })
})
