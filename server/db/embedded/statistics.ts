import type { Work } from './messages.ts'
import { statementsBy } from './statements.ts'

/** The table that has grown most beyond what was known of it, if any has by half; small ones need no statistics. */
const outgrown = `
  select format('%I.%I', schema, name) as name from (
    select n.nspname as schema, c.relname as name, c.relpages as known,
      pg_relation_size(c.oid) / current_setting('block_size')::int as pages
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public'
  ) tables
  where pages > 100 and pages > known * 1.5
  order by pages::float8 / greatest(known, 1) desc limit 1`

type Post = <T>(work: Work, how: { timed: boolean }) => Promise<T>

/**
 * A PostgreSQL server has a process that keeps the statistics which plans are made from; PGlite has none. A table at a
 * time, as each takes the database for some tenths of a second. Returns the way to stop.
 */
export function keepStatistics(post: Post, log: { warn: (message: string) => void }, everyMs = 60_000): () => void {
  const { query, exec } = statementsBy((work) => post(work, { timed: false }), { alone: true })

  async function analyzeOne() {
    const { rows } = await query<{ name: string }>(outgrown)
    for (const { name } of rows) await exec(`analyze ${name}`)
  }

  const timer = setInterval(() => {
    analyzeOne().catch((error: Error) => log.warn(`Statistics were not updated: ${error.message}`))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
