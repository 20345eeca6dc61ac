import { mapFound } from '#server/enrichment/findings.ts'
import { notFound, type Provider, type ProviderAccess, type ProviderDefinition } from '#server/enrichment/provider.ts'
import { askOrganisation, askUser } from './client.ts'
import { isOfCompany, isOfFounder } from './match.ts'
import { toCompany } from './to-company.ts'
import { toFounder } from './to-founder.ts'

/** Public profiles, for records in which somebody typed an address on GitHub. A key only makes it answer more often. */
export const github: ProviderDefinition = {
  id: 'github',
  name: 'GitHub',
  needsKey: false,
  baseUrl: 'https://api.github.com',
  open,
}

function open(access: ProviderAccess): Provider {
  return {
    async askFounder(subject, signal) {
      if (subject.github === null) return notFound
      const outcome = await askUser(access, subject.github, signal)
      if (outcome.kind === 'found' && !isOfFounder(outcome.findings, subject)) return notFound
      return mapFound(outcome, toFounder)
    },
    async askCompany(subject, signal) {
      if (subject.github === null) return notFound
      const outcome = await askOrganisation(access, subject.github, signal)
      if (outcome.kind === 'found' && !isOfCompany(outcome.findings, subject)) return notFound
      return mapFound(outcome, toCompany)
    },
  }
}
