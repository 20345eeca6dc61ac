import { drizzle } from 'drizzle-orm/pglite'
import * as schema from '../schema.ts'
import type { EmbeddedClient } from './client.ts'

type WithConfig = { queryConfig: object }

/**
 * Drizzle on the embedded database. Drizzle's driver drops the name of a prepared statement; the name marks statements
 * to keep prepared.
 */
export function drizzleOn(client: EmbeddedClient) {
  const db = drizzle(client as never, { schema })
  const { session } = db._
  const prepareQuery = session.prepareQuery.bind(session)
  session.prepareQuery = (query, fields, name, ...more) => {
    const prepared = prepareQuery(query, fields, name, ...more)
    if (name !== undefined) Object.assign((prepared as unknown as WithConfig).queryConfig, { isPrepared: true })
    return prepared
  }
  return db
}
