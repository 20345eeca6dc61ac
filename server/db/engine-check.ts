import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { sqlState, UNIQUE_VIOLATION } from '#server/sql-state.ts'
import { StartupError } from '#server/startup-error.ts'
import { type OpenDatabase, rowsOf } from './database.ts'
import { withClient } from './embedded/client.ts'

// Other engines and some poolers take all statements of the product, and lose changes without an error. So a start tries
// out what the product relies on. The embedded database is left out: the product brings it along.

const NOTICE_WITHIN_MS = 5_000

const ADVICE =
  'Give DATABASE_URL the address of PostgreSQL itself, or of a pooler in session mode (PgBouncer: pool_mode = session).'

/** Refuses engines by their name, on a connection without settings that they may not know. */
export async function refuseOtherEngines(url: string): Promise<void> {
  const engine = await withClient(url, async (client) => {
    const { rows } = await client.query<{ version: string; citus: boolean }>(
      "select version() as version, exists (select from pg_extension where extname = 'citus') as citus",
    )
    const [row] = rows
    if (row?.citus) return 'Citus'
    if (/cockroach/i.test(row?.version ?? '')) return 'CockroachDB'
    return /-YB-|yugabyte/i.test(row?.version ?? '') ? 'YugabyteDB' : undefined
  })
  if (engine === undefined) return
  throw new StartupError(
    `Sourcebook does not run on ${engine}, which would lose changes without an error. Give DATABASE_URL the address of a PostgreSQL, 15 or newer, without it (docs/scale.md).`,
  )
}

/** Tries out what would be lost without an error, and refuses the database with what to do. Needs two connections. */
export async function checkEngine(
  database: OpenDatabase,
  { statementTimeoutMs, noticeWithinMs = NOTICE_WITHIN_MS }: { statementTimeoutMs: number; noticeWithinMs?: number },
): Promise<void> {
  if (!(await hasNotices(database, noticeWithinMs))) {
    throw new StartupError(
      `A notice (NOTIFY) of the database did not arrive within ${noticeWithinMs / 1_000} s, so pages would not show changes. ${ADVICE}`,
    )
  }
  if (!(await locksOut(database))) {
    throw new StartupError(
      `An advisory lock of one connection did not shut out another, so two processes would do the same work twice. ${ADVICE}`,
    )
  }
  // Twice: a limit may hold for the statement that sets it only.
  for (const _ of [1, 2]) {
    const { rows } = await database.execute("select setting from pg_settings where name = 'statement_timeout'")
    if (rows[0]?.setting === `${statementTimeoutMs}`) continue
    throw new StartupError(
      `The database did not keep statement_timeout = ${statementTimeoutMs} of a connection (it is ${rows[0]?.setting}), so a statement could run without a limit. ${ADVICE}`,
    )
  }
  await tryTransaction(database)
}

async function hasNotices({ execute, listen }: OpenDatabase, withinMs: number): Promise<boolean> {
  const channel = `check_${randomUUID()}`
  const arrived = Promise.withResolvers<true>()
  const stop = await listen({ [channel]: () => arrived.resolve(true) }, () => {})
  try {
    await execute('select pg_notify($1, $2)', [channel, ''])
    return await Promise.race([arrived.promise, pause(withinMs, false, { ref: false })])
  } finally {
    await stop()
  }
}

async function locksOut({ db, execute }: OpenDatabase): Promise<boolean> {
  const key = `check ${randomUUID()}`
  return db.transaction(async (tx) => {
    const lock = sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as "isMine"`
    const [own] = await rowsOf<{ isMine: boolean }>(tx, lock)
    const other = await execute('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isMine"', [key])
    return own?.isMine === true && other.rows[0]?.isMine === false
  })
}

/** The same value twice: only a deferred constraint takes it for a moment. */
const TRANSACTION = `
begin;
create temporary table engine_check (id integer unique deferrable initially deferred) on commit drop;
create function pg_temp.count_rows() returns trigger language plpgsql as $$ begin
  perform set_config('sourcebook.rows', (select count(*)::text from added), true);
  return null;
end $$;
create trigger count_rows after insert on engine_check referencing new table as added
  for each statement execute function pg_temp.count_rows();
insert into engine_check values (1), (1);
delete from engine_check;
set constraints all immediate;
select current_setting('sourcebook.rows', true) as rows;
rollback`

async function tryTransaction({ execute }: OpenDatabase): Promise<void> {
  const { rows } = await execute(TRANSACTION).catch((error) => {
    if (sqlState(error) === UNIQUE_VIOLATION) {
      throw new StartupError(
        'The database does not defer a deferrable constraint, so moves of many rows would fail. Give DATABASE_URL the address of a PostgreSQL, 15 or newer.',
      )
    }
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) {
      throw new StartupError(
        'The role of DATABASE_URL may not create temporary tables, with which a start checks the database: run `grant temporary on database NAME to ROLE`.',
      )
    }
    throw error
  })
  if (rows.some((row) => row.rows === '2')) return
  throw new StartupError(
    'A trigger of the database did not see the rows of its statement, so history and counters would be lost. If the role or the database has session_replication_role = replica, reset it; otherwise give DATABASE_URL the address of a PostgreSQL, 15 or newer.',
  )
}

const INSUFFICIENT_PRIVILEGE = '42501'
