import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'
import { moveAll } from '#server/records/test/large-pipelines.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { loadLargeWorld, STATEMENT_TIMEOUT_MS } from '../scripts/seed/load-large-world.ts'

/** A filled database: the addresses of its fellows, of the one who has added most, and of a manager. */
export type World = { email: string; emails: string[]; manager: string }

export const loadPostgres = (url: string, founders: number, say: (line: string) => void) =>
  load({ DATABASE_URL: url }, founders, say)

export const loadEmbedded = (folder: string, founders: number, say: (line: string) => void) =>
  load({ DATA_DIR: folder }, founders, say)

const NEWCOMERS = 10_000

/** A fellow who has added neither many records nor few. */
const MANAGER = 20

/**
 * Adds founders within a few seconds, like an import: newer than all others, as large, and without shared words.
 */
export async function addNewcomers(place: Record<string, string>): Promise<void> {
  const database = await openWorld(place)
  const rot13 = (column: string) => `translate(${column}, 'abcdefghijklmnopqrstuvwxyz', 'nopqrstuvwxyzabcdefghijklm')`
  await database.execute(
    `insert into records (id, kind, name, linked_in, notes, rating, search_text, created_at)
    select gen_random_uuid(), kind, ${rot13('name')}, linked_in, ${rot13('notes')}, rating, ${rot13('search_text')},
      now() + row_number() over () * interval '1 ms'
    from (select * from records where kind = 'founder' order by created_at limit ${NEWCOMERS}) oldest`,
  )
  await database.close()
}

/** Opens the database like the product, without a time limit for statements. */
export function openWorld(place: Record<string, string>) {
  const settings = readSettings({ ...place, ENRICHMENT_PROVIDERS: 'none' })
  return openDatabase({ ...settings, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, quietLog, (reason) => {
    throw reason
  })
}

/** A tag of a third of the records, one of few, and one of none. */
async function tagMany(database: Database): Promise<void> {
  for (const [at, [name, each]] of Object.entries({ Common: 3, Rare: 200, None: 1_000_000_007 }).entries()) {
    const id = `01900000-0000-7000-8000-0000000000a${at}`
    await database.execute(sql`insert into tags (id, name, key) values (${id}, ${name}, ${name.toLowerCase()})`)
    await database.execute(sql`
      insert into record_tags (id, record_id, kind, tag_id, created_at)
      select gen_random_uuid(), id, kind, ${id}, created_at from records
      where kind not like '%-%' and mod(abs(hashtext(id::text)), ${each}::int) = 0`)
  }
  await database.execute(sql`analyze record_tags`)
}

async function load(place: Record<string, string>, founders: number, say: (line: string) => void): Promise<World> {
  const database = await openWorld(place)
  say(`${founders.toLocaleString('en')} founders`)
  const began = performance.now()
  const { fellows } = await loadLargeWorld(database, {
    founders,
    companies: Math.round(founders / 5),
    notes: 2 * founders,
    fellows: 40,
    more: moveAll,
  })
  const emails = fellows.map(({ email }) => email)
  const manager = emails[MANAGER] as string
  await database.execute(`update accounts set role = 'manager' where email = '${manager}'`)
  await tagMany(database.db)
  // A server would compare all records in the background while it is measured.
  await database.execute('truncate duplicate_checks')
  await database.close()
  say(`  loaded in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { email: emails[0] as string, emails, manager }
}
