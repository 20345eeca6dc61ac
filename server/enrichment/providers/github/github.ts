import { mapFound } from '#server/enrichment/findings.ts'
import { notFound, type Provider, type ProviderAccess, type ProviderDefinition } from '#server/enrichment/provider.ts'
import { askOrganisation, askUser } from './client.ts'
import { isOfCompany, isOfFounder } from './match.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

/** Public profiles, for records in which a person typed a GitHub address. A key only raises its rate limit. */
export const github: ProviderDefinition = {
  id: 'github',
  name: 'GitHub',
  needsKey: false,
  baseUrl: 'https://api.github.com',
  create,
}

function create(access: ProviderAccess): Provider {
  return {
    askFounder(subject) {
      const { github: login } = subject
      if (login === null) return undefined
      return async (signal) => {
        const outcome = await askUser(access, login, signal)
        if (outcome.kind === 'found' && !isOfFounder(outcome.findings, subject)) return notFound
        return mapFound(outcome, toFounder)
      }
    },
    askCompany(subject) {
      const { github: login } = subject
      if (login === null) return undefined
      return async (signal) => {
        const outcome = await askOrganisation(access, login, signal)
        if (outcome.kind === 'found' && !isOfCompany(outcome.findings, subject)) return notFound
        return mapFound(outcome, toCompany)
      }
    },
  }
}
