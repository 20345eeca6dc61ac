import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { readSettings } from '#server/ops/settings.ts'
import { sqlState, UNIQUE_VIOLATION } from '#server/sql-state.ts'
import { makeFounder } from '#server/test/factories.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { type OpenDatabase, rowsOf } from './database.ts'
import { openDatabase } from './open.ts'

const { url: adminUrl } = inject('database')
const INSUFFICIENT_PRIVILEGE = '42501'

describe('A product with a role that does not own the tables', () => {
  const name = `roles_${randomBytes(6).toString('hex')}`
  const urlAs = (role: string) => {
    const url = new URL(adminUrl)
    url.username = role
    url.password = 'secret'
    url.pathname = `/${name}`
    return url.href
  }
  const settings = (more: Record<string, string> = {}) =>
    readSettings({ DATABASE_URL: urlAs(`${name}_app`), DATABASE_POOL: '2', ...more })
  const open = (more?: Record<string, string>) =>
    openDatabase(settings(more), quietLog, (reason) => {
      throw reason
    })
  const asOwner = () => ({ DATABASE_OWNER_URL: urlAs(`${name}_owner`) })

  let admin: pg.Client
  let database: OpenDatabase
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    // As described in docs/operations.md.
    await admin.query(`create role ${name}_owner login password 'secret'`)
    await admin.query(`create role ${name}_app login password 'secret'`)
    await admin.query(`create database ${name} owner ${name}_owner template template0`)
    await admin.query(`grant create on database ${name} to ${name}_app`)
  })
  afterAll(async () => {
    await database?.close()
    await admin.query(`drop database ${name} with (force)`)
    for (const role of ['owner', 'app']) await admin.query(`drop role ${name}_${role}`)
    await admin.end()
  })

  it('does not start without the owner when there are migrations to apply', async () => {
    expect(sqlState(await open().catch((error) => error))).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it('migrates as the owner, serves requests, and keeps its queue', async () => {
    database = await open(asOwner())
    const { id } = await makeFounder(database.db)
    await installQueues(database)
    expect(await rowsOf(database.db, sql`select action from audit_log where object_id = ${id}`)).toEqual([
      { action: 'create' },
    ])
  })

  it('starts without the owner when there is nothing to migrate, and with the owner again', {
    tags: 'slow',
  }, async () => {
    for (const more of [{}, asOwner()]) await (await open(more)).close()
    await Promise.all([open(asOwner()), open(asOwner())].map(async (opening) => (await opening).close()))
  })

  it.each([
    'update audit_log set action = action',
    'delete from audit_log',
    'truncate audit_log',
    'drop table audit_log',
    'drop trigger audit_log_is_permanent on audit_log',
    'alter table audit_log disable trigger all',
    'alter table records disable trigger records_audited',
    'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
    "set session_replication_role = 'replica'",
    'delete from schema_migrations',
  ])('may not %s', async (statement) => {
    const failure = await database.db.execute(sql.raw(statement)).catch((error) => error)
    expect(sqlState(failure)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  describe.each(['app', 'owner'])('the audit log refuses every change and deletion as the role of the %s', (role) => {
    let client: pg.Client
    let superuser: pg.Client
    const rows = async () => (await superuser.query('select t::text from audit_log t order by 1')).rows
    beforeAll(async () => {
      client = new pg.Client({ connectionString: urlAs(`${name}_${role}`) })
      const url = new URL(adminUrl)
      url.pathname = `/${name}`
      superuser = new pg.Client({ connectionString: url.href })
      await Promise.all([client.connect(), superuser.connect()])
    })
    afterAll(() => Promise.all([client.end(), superuser.end()]))

    const refusalOf = async (statement: string) => {
      const before = await rows()
      expect(before.length).toBeGreaterThan(0)
      const state = await client.query(statement).then(
        () => 'done',
        (error) => sqlState(error),
      )
      expect(await rows()).toEqual(before)
      return [statement, state]
    }

    it('of each of its columns', async () => {
      const columns = await client.query(
        `select attname as name from pg_attribute where attrelid = 'audit_log'::regclass and attnum > 0 and not attisdropped`,
      )
      expect(columns.rows.length).toBeGreaterThan(10)
      for (const { name: column } of columns.rows) {
        for (const value of [column, 'default']) {
          const statement = `update audit_log set ${column} = ${value}`
          expect(await refusalOf(statement)).toEqual([statement, INSUFFICIENT_PRIVILEGE])
        }
      }
    })

    it.each([
      'delete from audit_log',
      'delete from audit_log where false',
      'truncate audit_log',
      'truncate audit_log cascade',
      'merge into audit_log using (select 1) one on true when matched then delete',
      "merge into audit_log using (select 1) one on true when matched then update set action = 'x'",
      "insert into audit_log select * from audit_log on conflict (at, id) do update set action = 'x'",
      'with gone as (delete from audit_log returning *) select from gone',
      "copy audit_log from '/etc/hostname'",
      "set session_replication_role = 'replica'",
      "select set_config('session_replication_role', 'replica', false)",
    ])('by: %s', async (statement) => {
      expect(await refusalOf(statement)).toEqual([statement, INSUFFICIENT_PRIVILEGE])
    })

    it('by a row copied over another', async () => {
      const statement = 'insert into audit_log select * from audit_log'
      expect(await refusalOf(statement)).toEqual([statement, UNIQUE_VIOLATION])
    })

    it('except what its one function empties, and nothing else of an entry', async () => {
      await client.query(`insert into audit_log (action, account_email, ip, before, after, detail)
        values ('login', 'ada@mit.edu', '10.0.0.1', '{"a": 1}', '{"a": 2}', '{"a": 3}')`)
      const entry = `select * from audit_log where action = 'login' and account_email = 'ada@mit.edu'`
      const [before] = (await client.query(entry)).rows
      await client.query(`select empty_audit_entries(array[$1::uuid], array[$2::timestamptz], 'all')`, [
        before.id,
        before.at,
      ])
      const [after] = (await client.query('select * from audit_log where id = $1', [before.id])).rows
      const emptied = { account_email: null, ip: null, before: null, after: null, detail: null }
      expect(after).toEqual({ ...before, ...emptied })
    })
  })

  it('may insert into the audit log and read it', async () => {
    const count = async () =>
      (await rowsOf<{ count: number }>(database.db, sql`select count(*)::int as count from audit_log`))[0]?.count
    const before = await count()
    await recordAuditEntry(database.db, { action: 'login' })
    expect(await count()).toBe((before ?? 0) + 1)
  })

  it('is reported when both are one role', async () => {
    await expect(open({ DATABASE_OWNER_URL: urlAs(`${name}_app`) })).rejects.toThrow(
      'DATABASE_OWNER_URL and DATABASE_URL name the same role, so it protects nothing.',
    )
  })
})
