import { mapFound } from '#server/enrichment/findings.ts'
import {
  type CompanySubject,
  type FounderSubject,
  notFound,
  type ProviderDefinition,
} from '#server/enrichment/provider.ts'
import { linkedInCompanyPage } from '#server/records/keys.ts'
import { profileAddress } from '../linked-in.ts'
import { askCompany, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const harmonic: ProviderDefinition = {
  id: 'harmonic',
  name: 'Harmonic',
  needsKey: true,
  baseUrl: 'https://api.harmonic.ai',
  open: (access) => ({
    askFounder: async (subject, signal) => {
      const query = personQuery(subject)
      return query ? mapFound(await askPerson(access, query, signal), toFounder) : notFound
    },
    askCompany: async (subject, signal) => {
      const query = companyQuery(subject)
      return query ? mapFound(await askCompany(access, query, signal), toCompany) : notFound
    },
  }),
}

function personQuery({ linkedIn }: FounderSubject) {
  if (linkedIn) return { linkedin_url: profileAddress(linkedIn) }
}

function companyQuery({ domain, linkedIn }: CompanySubject) {
  if (domain) return { website_domain: domain }
  if (linkedIn) return { linkedin_url: linkedInCompanyPage(linkedIn) }
}
