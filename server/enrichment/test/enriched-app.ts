import { fellowOf } from '#server/test/fellow.ts'
import { type ProviderServer, startProviderServer } from '#server/test/provider-server.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

/** The product with its providers on this machine: Harmonic and People Data Labs, in this order, with keys. */
export type EnrichedApp = {
  test: TestApp
  outside: ProviderServer
  /** A fellow, signed in. */
  client: TestClient
  close: () => Promise<void>
}

export const KEYS = { HARMONIC_API_KEY: 'key-of-harmonic', PEOPLE_DATA_LABS_API_KEY: 'key-of-people-data-labs' }

export async function startEnrichedApp(environment: Record<string, string> = {}): Promise<EnrichedApp> {
  const outside = await startProviderServer()
  const test = await startTestApp({
    ENRICHMENT_PROVIDERS: 'harmonic,people_data_labs',
    ...KEYS,
    HARMONIC_BASE_URL: outside.url,
    PEOPLE_DATA_LABS_BASE_URL: outside.url,
    FETCH_ALLOW_HOSTS: new URL(outside.url).host,
    // Tests refresh one record again and again; those of the pause set it back.
    ENRICHMENT_PAUSE_SECONDS: '0',
    ...environment,
  })
  const { client } = await fellowOf(test)
  return {
    test,
    outside,
    client,
    close: async () => {
      await test.close()
      await outside.close()
    },
  }
}
