import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { type ProviderServer, startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

/** The product with fake providers on this machine: Harmonic and People Data Labs, in this order, with keys. */
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
    // Tests refresh one record repeatedly, so there is no pause; tests of the pause set it.
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

/** The unfinished jobs of a queue, with the seconds until each starts. */
export const queuedIn = ({ test }: EnrichedApp, queue: string) =>
  rowsOf<{ data: object; seconds: number }>(
    test.db,
    sql`select data, extract(epoch from start_after - now())::int as seconds from pgboss.job
      where name = ${queue} and state < 'completed'`,
  )

/** Waits until the condition holds. */
export const until = (isSo: () => boolean | Promise<boolean>) =>
  expect.poll(isSo, { timeout: 15_000, interval: 50 }).toBe(true)
