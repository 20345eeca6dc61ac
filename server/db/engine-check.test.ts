import { existsSync } from 'node:fs'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startPgBouncer } from '#server/test/pgbouncer.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { freshDatabase } from '#server/test/test-database.ts'
import type { OpenDatabase } from './database.ts'
import { withClient } from './embedded/client.ts'
import { checkEngine, refuseOtherEngines } from './engine-check.ts'
import { openPostgres } from './postgres.ts'

const LIMITS = { statementTimeoutMs: 2_000, noticeWithinMs: 500 }
const PGBOUNCER = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer'

/** The address of a database whose superuser ran these statements before the product connects. */
async function prepared(statements = ''): Promise<string> {
  const url = await freshDatabase()
  const { pathname } = new URL(url)
  const superuser = Object.assign(new URL(inject('database').url), { pathname }).href
  await withClient(superuser, (client) => client.query(statements.replaceAll('DATABASE', pathname.slice(1))))
  return url
}

/** Objects that hide those of PostgreSQL with the same name. */
const hiddenBy = (statements: string) => `
  create schema hiding;
  alter database DATABASE set search_path = hiding, pg_catalog, public;
  set search_path = hiding, pg_catalog;
  ${statements};
  grant usage on schema hiding to public;
  grant select on all tables in schema hiding to public`

function open(url: string): OpenDatabase {
  const database = openPostgres({ url, connections: 2, statementTimeoutMs: LIMITS.statementTimeoutMs, log: quietLog })
  onTestFinished(() => database.close())
  return database
}

describe('The check of the database at a start', () => {
  it('accepts PostgreSQL', async () => {
    const url = await prepared()
    await expect(refuseOtherEngines(url)).resolves.toBeUndefined()
    await expect(checkEngine(open(url), LIMITS)).resolves.toBeUndefined()
  })

  it.each([
    ['CockroachDB', `create function version() returns text language sql as $$ select 'CockroachDB CCL v26.1.0' $$`],
    ['YugabyteDB', `create function version() returns text language sql as $$ select 'PostgreSQL 15.12-YB-2025.2' $$`],
    ['Citus', `create table pg_extension as select 'citus'::name as extname`],
  ])('refuses %s by its name', async (name, statements) => {
    const refused = refuseOtherEngines(await prepared(hiddenBy(statements)))
    await expect(refused).rejects.toThrow(`does not run on ${name}`)
  })

  it.each([
    [
      'notices that do not arrive',
      hiddenBy("create function pg_notify(text, text) returns void language sql as ''"),
      /^A notice .* did not arrive within 0.5 s.*pool_mode = session/,
    ],
    [
      'locks that shut out no other connection',
      hiddenBy("create function pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'"),
      /^An advisory lock .* did not shut out another/,
    ],
    [
      'a limit that is not set',
      hiddenBy("create function set_config(text, text, boolean) returns text language sql as 'select $2'"),
      /did not keep statement_timeout = 2000 of a connection \(it is 0\)/,
    ],
    [
      'a limit that is gone at the next statement',
      hiddenBy(`create sequence statements;
        grant usage on sequence statements to public;
        create view pg_settings as select 'statement_timeout' as name,
          case nextval('hiding.statements') when 1 then '2000' else '0' end as setting`),
      /did not keep statement_timeout = 2000/,
    ],
    [
      'triggers that do not run',
      'alter role product in database DATABASE set session_replication_role = replica',
      /^A trigger .* did not see the rows.*session_replication_role/,
    ],
    [
      'a role that may not create temporary tables',
      'alter database DATABASE owner to postgres; revoke temporary on database DATABASE from public',
      /grant temporary on database/,
    ],
  ])('refuses %s', { tags: 'slow' }, async (_fault, statements, sentence) => {
    await expect(checkEngine(open(await prepared(statements)), LIMITS)).rejects.toThrow(sentence)
  })

  it('refuses constraints that are not deferred', async () => {
    const database = open(await prepared())
    const execute: OpenDatabase['execute'] = (text, values) =>
      database.execute(text.replace('deferrable initially deferred', ''), values)
    await expect(checkEngine({ ...database, execute }, LIMITS)).rejects.toThrow('does not defer')
  })

  it.runIf(existsSync(PGBOUNCER))('refuses PgBouncer in transaction mode, and names session mode', async () => {
    const pooler = await startPgBouncer(PGBOUNCER, inject('database').url, 'transaction')
    onTestFinished(pooler.stop)
    const database = open(pooler.through(await prepared()))
    await expect(checkEngine(database, LIMITS)).rejects.toThrow('pool_mode = session')
  })
})
