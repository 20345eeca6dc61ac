import type { Provider, ProviderAccess, ProviderDefinition } from '../provider.ts'
import { apollo } from './apollo/apollo.ts'
import { coresignal } from './coresignal/coresignal.ts'
import { github } from './github/github.ts'
import { harmonic } from './harmonic/harmonic.ts'
import { peopleDataLabs } from './people-data-labs/people-data-labs.ts'
import { website } from './website/website.ts'
import { wikidata } from './wikidata/wikidata.ts'

/** All providers, in the order in which they are asked unless `ENRICHMENT_PROVIDERS` is set. */
export const providerDefinitions: ProviderDefinition[] = [
  harmonic,
  peopleDataLabs,
  apollo,
  coresignal,
  website,
  wikidata,
  github,
]

export const nameOfProvider = (id: string): string =>
  providerDefinitions.find((definition) => definition.id === id)?.name ?? id

export type OpenProvider = { id: string; name: string; needsKey: boolean; provider: Provider }

/** The settings of providers: their order, and keys and addresses by id. */
type ProviderSettings = {
  order: string[]
  keys: Record<string, string | undefined>
  baseUrls: Record<string, string | undefined>
}

/** The configured providers, in the order of the settings, without those whose key is missing. */
export function createProviders(
  { order, keys, baseUrls }: ProviderSettings,
  rest: Pick<ProviderAccess, 'guardedClient' | 'contact'>,
): OpenProvider[] {
  return order.flatMap((id) => {
    const definition = providerDefinitions.find((one) => one.id === id)
    const key = keys[id] ?? ''
    if (definition === undefined || (definition.needsKey && key === '')) return []
    const { name, needsKey, baseUrl = '' } = definition
    return [{ id, name, needsKey, provider: definition.create({ baseUrl: baseUrls[id] ?? baseUrl, key, ...rest }) }]
  })
}
