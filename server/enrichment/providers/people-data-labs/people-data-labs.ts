import { mapFound } from '#server/enrichment/findings.ts'
import type { CompanySubject, FounderSubject, ProviderDefinition } from '#server/enrichment/provider.ts'
import { linkedInCompanyPage } from '#server/names/keys.ts'
import { profileAddress } from '../linked-in.ts'
import { askCompany, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const peopleDataLabs: ProviderDefinition = {
  id: 'people_data_labs',
  name: 'People Data Labs',
  needsKey: true,
  baseUrl: 'https://api.peopledatalabs.com',
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

/** Out of 10. Below this, the result may be another person. */
const min_likelihood = '6'

function personQuery({ linkedIn, name, company }: FounderSubject) {
  if (linkedIn) return { profile: profileAddress(linkedIn) }
  if (name && company) return { name, company, min_likelihood }
}

function companyQuery({ domain, linkedIn, name }: CompanySubject) {
  if (domain) return { website: domain }
  if (linkedIn) return { profile: linkedInCompanyPage(linkedIn) }
  if (name) return { name, min_likelihood }
}
