import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/env.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { loadLargeWorld, STATEMENT_TIMEOUT_MS } from '../scripts/seed/load-large-world.ts'

/** A database that is filled, seen by the fellow who has added most. */
export type World = { email: string }

export const loadPostgres = (url: string, founders: number, say: (line: string) => void) =>
  load({ DATABASE_URL: url }, founders, say)

export const loadEmbedded = (folder: string, founders: number, say: (line: string) => void) =>
  load({ DATA_DIR: folder }, founders, say)

async function load(place: Record<string, string>, founders: number, say: (line: string) => void): Promise<World> {
  const settings = readSettings({ ...place, ENRICHMENT_PROVIDERS: 'none' })
  const database = await openDatabase({ ...settings, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, quietLog, (reason) => {
    throw reason
  })
  say(`${founders.toLocaleString('en')} founders, ${database.isShared ? 'PostgreSQL' : 'embedded database'}`)
  const began = performance.now()
  const { fellows } = await loadLargeWorld(database, {
    founders,
    companies: Math.round(founders / 5),
    notes: 2 * founders,
    fellows: 40,
  })
  await database.close()
  say(`  loaded in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { email: (fellows[0] as { email: string }).email }
}
