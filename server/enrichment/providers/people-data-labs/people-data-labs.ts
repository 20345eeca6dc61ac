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

export const peopleDataLabs: ProviderDefinition = {
  id: 'people_data_labs',
  name: 'People Data Labs',
  needsKey: true,
  baseUrl: 'https://api.peopledatalabs.com',
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

/** Of 10: below this, a name may be another's. */
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
