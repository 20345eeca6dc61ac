import type { Work } from './messages.ts'
import { statementsBy } from './statements.ts'

/** The table that has grown most since its statistics were made, if any has grown by half. Small tables need none. */
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
 * Keeps the statistics for the planner up to date. A PostgreSQL server has a process for that; PGlite has none.
 * Analyzes one table at a time, because each takes the database for some tenths of a second. Returns a function that
 * stops it.
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
