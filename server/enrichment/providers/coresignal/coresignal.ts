import { mapFound } from '#server/enrichment/findings.ts'
import type { ProviderDefinition } from '#server/enrichment/provider.ts'
import { askCompany, askCompanyBySlug, askPerson } from './client.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

export const coresignal: ProviderDefinition = {
  id: 'coresignal',
  name: 'Coresignal',
  needsKey: true,
  baseUrl: 'https://api.coresignal.com',
  create: (access) => ({
    askFounder: ({ linkedIn }) =>
      isName(linkedIn) ? async (signal) => mapFound(await askPerson(access, linkedIn, signal), toFounder) : undefined,
    askCompany: ({ domain, linkedIn }) => {
      if (domain) return async (signal) => mapFound(await askCompany(access, domain, signal), toCompany)
      if (isName(linkedIn))
        return async (signal) => mapFound(await askCompanyBySlug(access, linkedIn, signal), toCompany)
    },
  }),
}

/** Names are part of the path, where dots alone would lead to another URL. */
const isName = (name: string | null): name is string => name !== null && /[^.]/.test(name)
