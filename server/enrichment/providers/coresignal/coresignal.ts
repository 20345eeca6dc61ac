import { mapFound } from '#server/enrichment/findings.ts'
import { notFound, type ProviderDefinition } from '#server/enrichment/provider.ts'
import { askCompany, askCompanyBySlug, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const coresignal: ProviderDefinition = {
  id: 'coresignal',
  name: 'Coresignal',
  needsKey: true,
  baseUrl: 'https://api.coresignal.com',
  open: (access) => ({
    askFounder: async ({ linkedIn }, signal) =>
      isName(linkedIn) ? mapFound(await askPerson(access, linkedIn, signal), toFounder) : notFound,
    askCompany: async ({ domain, linkedIn }, signal) => {
      if (domain) return mapFound(await askCompany(access, domain, signal), toCompany)
      return isName(linkedIn) ? mapFound(await askCompanyBySlug(access, linkedIn, signal), toCompany) : notFound
    },
  }),
}

/** It takes names in the path, where dots alone would lead to another address. */
const isName = (name: string | null): name is string => name !== null && /[^.]/.test(name)
