import { found } from '#server/enrichment/findings.ts'
import { notFound, type Provider, type ProviderAccess, type ProviderDefinition } from '#server/enrichment/provider.ts'
import { getEntities, getLabels, searchEntities } from './client.ts'
import { bestMatch } from './match.ts'
import { referredTo, toCompany } from './to-company.ts'

/** The free encyclopaedia's data: companies of some age and fame. */
export const wikidata: ProviderDefinition = {
  id: 'wikidata',
  name: 'Wikidata',
  needsKey: false,
  baseUrl: 'https://www.wikidata.org',
  open,
}

function open(access: ProviderAccess): Provider {
  return {
    async askCompany(subject, signal) {
      // Many companies have one name: without another key nothing tells which of them is meant.
      if (subject.domain === null && subject.linkedIn === null) return notFound
      const ids = await searchEntities(access, subject.name, signal)
      if (ids.kind !== 'found') return ids
      const entities = await getEntities(access, ids.findings, signal)
      if (entities.kind !== 'found') return entities
      const company = bestMatch(entities.findings, subject)
      if (company === undefined) return notFound
      const labels = await getLabels(access, referredTo(company), signal)
      return found(toCompany(company, labels.kind === 'found' ? labels.findings : {}))
    },
  }
}
