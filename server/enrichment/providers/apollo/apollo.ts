import { mapFound } from '#server/enrichment/findings.ts'
import type { CompanySubject, FounderSubject, ProviderDefinition } from '#server/enrichment/provider.ts'
import { profileAddress } from '../linked-in.ts'
import { askCompany, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const apollo: ProviderDefinition = {
  id: 'apollo',
  name: 'Apollo',
  needsKey: true,
  baseUrl: 'https://api.apollo.io/api/v1',
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

function personQuery({ linkedIn, name, company }: FounderSubject) {
  if (linkedIn) return { linkedin_url: profileAddress(linkedIn) }
  if (name && company) return { name, organization_name: company }
}

function companyQuery({ domain }: CompanySubject) {
  if (domain) return { domain }
}
