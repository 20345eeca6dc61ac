import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { withClient } from '#server/db/embedded/client.ts'
import { superuserUrl } from '#server/test/test-database.ts'

// Saves all rows of a small PostgreSQL database under a number, and restores them within milliseconds, because only rows
// that differ are written.

/** What rights do not depend on: logs that only grow, the schema's own table, and contents of files. */
const NOT_SAVED = ['audit_log', 'denied_requests', 'migrations', 'import_files']
/** Saved, but no part of the fingerprint: who has a session, counts of attempts, and rows derived from others. */
const NOT_COMPARED = ['sessions', 'attempts', 'counters', 'duplicate_checks', 'import_volumes', 'namings']
/** Restores in between. Deleted rows make the tables grow otherwise. */
const VACUUM_EVERY = 200

export type SavedStates = Awaited<ReturnType<typeof createSavedStates>>

export async function createSavedStates(db: Database, places: number) {
  const names = await rowsOf<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const tables = names.map(({ name }) => name).filter((name) => !NOT_SAVED.includes(name))
  await db.execute(sql`create schema saved`)
  for (let place = 0; place < places; place += 1) {
    await db.execute(sql.raw(`create schema saved_${place}`))
    for (const name of tables) {
      await db.execute(sql.raw(`create unlogged table saved_${place}.${name} as table public.${name} with no data`))
    }
  }
  // Without triggers: they derive rows that are saved too. In functions, whose statements are planned once.
  const copy = (name: string, target: string, source: string) => `
    create function saved.${name}() returns void language plpgsql security definer set session_replication_role = replica as $$
    begin
      ${tables
        .map(
          (table) => `
      delete from ${target}.${table} t where not exists (select from ${source}.${table} s where s::text = t::text);
      insert into ${target}.${table} select * from ${source}.${table} s
        where not exists (select from ${target}.${table} t where s::text = t::text);`,
        )
        .join('')}
    end $$`
  const compared = tables.filter((name) => !NOT_COMPARED.includes(name))
  const contents = compared.map((name) => `(select json_agg(t::text order by t::text) from public.${name} t)`)
  const functions = Array.from({ length: places }, (_, place) => [
    copy(`save_${place}`, `saved_${place}`, 'public'),
    copy(`restore_${place}`, 'public', `saved_${place}`),
  ])
  await withClient(await superuserUrl(db), async (superuser) => {
    for (const made of functions.flat()) await superuser.query(made)
  })
  await db.execute(
    sql.raw(`create function saved.contents() returns text language plpgsql as $$
      begin return json_build_array(${contents.join()}); end $$`),
  )
  const textOfAll = async () => {
    const [row] = await rowsOf<{ text: string }>(db, sql`select saved.contents() as text`)
    return row?.text ?? ''
  }
  let restored = 0

  return {
    save: async (place: number) => void (await db.execute(sql.raw(`select saved.save_${place}()`))),

    async restore(place: number): Promise<void> {
      await db.execute(sql.raw(`select saved.restore_${place}()`))
      restored += 1
      if (restored % VACUUM_EVERY === 0) await db.execute(sql`vacuum`)
    },

    /**
     * A digest of all rows. Two states with the same one differ only in times, and in the ids of rows that were added
     * after `known`, so the same acts are possible in both.
     */
    async fingerprint(known: Set<string>): Promise<string> {
      const numbers = new Map<string, string>()
      const named = (id: string) => {
        if (known.has(id)) return id
        if (!numbers.has(id)) numbers.set(id, `new ${numbers.size}`)
        return numbers.get(id) as string
      }
      const text = (await textOfAll())
        .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(\+00|Z)?/g, 'time')
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
      // Hundreds of thousands of states do not fit into memory as text.
      return createHash('sha256').update(text).digest('base64')
    },

    /** The ids that exist. */
    async ids(): Promise<Set<string>> {
      return new Set((await textOfAll()).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
    },
  }
}
