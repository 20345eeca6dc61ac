import { found } from '#server/enrichment/findings.ts'
import {
  type CompanyFindings,
  type CompanySubject,
  notFound,
  type Outcome,
  type Provider,
  type ProviderAccess,
  type ProviderDefinition,
} from '#server/enrichment/provider.ts'
import { getEntities, getLabels, searchEntities } from './client.ts'
import { bestMatch } from './match.ts'
import { referredTo, toCompany } from './to-company.ts'

/** The free knowledge base: mostly older and well-known companies. */
export const wikidata: ProviderDefinition = {
  id: 'wikidata',
  name: 'Wikidata',
  needsKey: false,
  baseUrl: 'https://www.wikidata.org',
  create,
}

function create(access: ProviderAccess): Provider {
  return {
    // Many companies share a name. Without another key the match would be ambiguous.
    askCompany: (subject) =>
      subject.domain === null && subject.linkedIn === null ? undefined : (signal) => askAbout(access, subject, signal),
  }
}

async function askAbout(
  access: ProviderAccess,
  subject: CompanySubject,
  signal: AbortSignal,
): Promise<Outcome<CompanyFindings>> {
  const ids = await searchEntities(access, subject.name, signal)
  if (ids.kind !== 'found') return ids
  const entities = await getEntities(access, ids.findings, signal)
  if (entities.kind !== 'found') return entities
  const company = bestMatch(entities.findings, subject)
  if (company === undefined) return notFound
  const labels = await getLabels(access, referredTo(company), signal)
  return found(toCompany(company, labels.kind === 'found' ? labels.findings : {}))
}
