import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { readSettings } from '#server/settings.ts'
import { sqlState } from '#server/sql-state.ts'
import { makeFounder } from '#server/test/factories.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { type OpenDatabase, rowsOf } from './database.ts'
import { openDatabase } from './open.ts'

// Only PostgreSQL has roles; the embedded database has one user, who owns everything.
const made = inject('database')
const INSUFFICIENT_PRIVILEGE = '42501'

describe('A product with a role that does not own the tables', () => {
  const name = `roles_${randomBytes(6).toString('hex')}`
  const urlAs = (role: string) => {
    const url = new URL((made as { url: string }).url)
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
    admin = new pg.Client({ connectionString: (made as { url: string }).url })
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

  it('starts without the owner when there is nothing to migrate, and with the owner again', async () => {
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

  it('may insert into the audit log and read it', async () => {
    await recordAuditEntry(database.db, { action: 'login' })
    const [row] = await rowsOf<{ count: number }>(database.db, sql`select count(*)::int as count from audit_log`)
    expect(row?.count).toBe(2)
  })

  it('is reported when both are one role', async () => {
    await expect(open({ DATABASE_OWNER_URL: urlAs(`${name}_app`) })).rejects.toThrow(
      'DATABASE_OWNER_URL and DATABASE_URL name the same role, so it protects nothing.',
    )
  })
})
