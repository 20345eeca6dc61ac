import { onTestFinished } from 'vitest'
import type { CompanySubject, FounderSubject, ProviderDefinition } from '#server/enrichment/provider.ts'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'

export const KEY = 'key-Secret-Value'
const NO_GUARDED_CLIENT = {
  get: () => Promise.reject(new Error('A provider with a key has no use for the guarded client')),
}

export const founder: FounderSubject = { name: 'Jane Doe', linkedIn: 'jane-doe', company: 'Orchard', github: null }
export const company: CompanySubject = {
  name: 'Orchard',
  domain: 'orchard.example',
  website: 'https://www.orchard.example/',
  linkedIn: 'orchard',
  github: null,
}

/** The provider with its own fake server. Calls are aborted after `patienceMs`. */
export async function openProvider(definition: ProviderDefinition) {
  const server = await startProviderServer()
  onTestFinished(server.close)
  const provider = definition.create({
    baseUrl: `${server.url}/base/`,
    key: KEY,
    guardedClient: NO_GUARDED_CLIENT,
  })
  const signal = (patienceMs: number) => AbortSignal.timeout(patienceMs)
  return {
    server,
    askFounder: async (subject: Partial<FounderSubject> = {}, patienceMs = 5000) =>
      provider.askFounder?.({ ...founder, ...subject })?.(signal(patienceMs)),
    askCompany: async (subject: Partial<CompanySubject> = {}, patienceMs = 5000) =>
      provider.askCompany?.({ ...company, ...subject })?.(signal(patienceMs)),
  }
}
