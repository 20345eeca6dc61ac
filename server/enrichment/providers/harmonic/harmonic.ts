import { mapFound } from '#server/enrichment/findings.ts'
import type { CompanySubject, FounderSubject, ProviderDefinition } from '#server/enrichment/provider.ts'
import { linkedInCompanyPage } from '#server/names/keys.ts'
import { profileAddress } from '../linked-in.ts'
import { askCompany, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const harmonic: ProviderDefinition = {
  id: 'harmonic',
  name: 'Harmonic',
  needsKey: true,
  baseUrl: 'https://api.harmonic.ai',
  create: (access) => ({
    askFounder: (subject) => {
      const query = personQuery(subject)
      return query && (async (signal) => mapFound(await askPerson(access, query, signal), toFounder))
    },
    askCompany: (subject) => {
      const query = companyQuery(subject)
      return query && (async (signal) => mapFound(await askCompany(access, query, signal), toCompany))
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
