import { sql } from 'drizzle-orm'
import type { AccessReport } from '#contract/privacy.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordData } from '#server/record-features.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'
import type { Chosen } from './chosen.ts'
import { listJobs } from './jobs.ts'
import { hideOthers } from './others.ts'
import { addressesOfRecords } from './remember-addresses.ts'
import { inWords, isRow, ofRecords, tableName } from './tables.ts'

/** Names of columns with another person, in rows and inside JSON, such as the values before a change. */
const roleNames = new Set(
  recordData.flatMap(({ report }) => Object.keys(report).filter((name) => report[name] === 'role')),
)

/** Everything held on the chosen person, from the list of record data. */
export async function accessReport(db: Database, { records, trees, values, jobs }: Chosen): Promise<AccessReport> {
  const roles = await rolesIn(db)
  const tables: AccessReport['tables'] = []
  const own = { names: await namesOf(db, trees), addresses: await addressesOfRecords(db, trees) }
  for (const entry of recordData) {
    if (entry.record === undefined) continue
    const wanted = [
      ...(trees.length > 0 ? [ofRecords(entry, trees)] : []),
      ...values.filter((value) => value.entry === entry).map(({ key }) => sql`(${isRow(entry, key)})`),
    ]
    const rows =
      wanted.length === 0
        ? []
        : await rowsOf<Row>(db, sql`select ${shownIn(entry)} from ${entry.table} where ${sql.join(wanted, sql` or `)}`)
    if (rows.length > 0) {
      const shown = rows.map((row) => present(entry, row, roles))
      tables.push({
        table: tableName(entry),
        label: inWords(tableName(entry)),
        rows: tableName(entry) === 'import_rows' ? await hideOthers(db, shown, own) : shown,
      })
    }
  }
  const queued = await listJobs(db, jobs, trees)
  if (queued.length > 0) {
    const rows = queued.map(({ at, data, ...job }) => ({
      ...job,
      data: withRoles(data, roles),
      at: new Date(at).toISOString(),
    }))
    tables.push({ table: 'jobs', label: 'Queue', rows })
  }
  return { createdAt: new Date().toISOString(), records, tables }
}

const namesOf = async (db: Database, ids: string[]): Promise<string[]> =>
  (await rowsOf<{ name: string }>(db, sql`select name from records where id = any (${sql.param(ids)}::uuid[])`)).map(
    ({ name }) => name,
  )

type Row = Record<string, unknown>

/** Columns that are shown, or that name a person. Bytes are base64, times have their zone. */
function shownIn(entry: RecordData) {
  const names = Object.keys(entry.report).filter((name) => !['left-out', 'searched'].includes(entry.report[name] ?? ''))
  const columns = names.map((name) => {
    const column = columnOf(entry, name)
    const type = column.getSQLType()
    if (type === 'bytea') return sql`translate(encode(${column}, 'base64'), E'\\n', '') as ${sql.identifier(name)}`
    if (type.startsWith('timestamp'))
      return sql`to_json(${column} at time zone 'UTC') #>> '{}' as ${sql.identifier(name)}`
    return sql`${column} as ${sql.identifier(name)}`
  })
  // A table of which nothing is shown still has a row for the report.
  return columns.length > 0 ? sql.join(columns, sql`, `) : sql`true as present`
}

type Roles = Map<string, string>

/** Managers by id and address. Everyone else is a fellow. */
async function rolesIn(db: Database): Promise<Roles> {
  const managers = await rowsOf<{ id: string; email: string }>(
    db,
    sql`select id, email from accounts where role = 'manager'`,
  )
  return new Map(managers.flatMap(({ id, email }) => [[id, 'a manager'] as const, [email, 'a manager'] as const]))
}

const roleOf = (value: unknown, roles: Roles) =>
  value === null || value === undefined ? null : (roles.get(String(value)) ?? 'a fellow')

const present = ({ report }: RecordData, row: Row, roles: Roles): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      report[name] === 'role' ? roleOf(value, roles) : withRoles(value, roles),
    ]),
  )

/** Inside JSON, such as the data of a job, people also stand under this name, as an id or with their address. */
const BY = 'by'

const roleBy = (value: unknown, roles: Roles) => {
  const { email, id } = (typeof value === 'object' ? value : { id: value }) as { id?: unknown; email?: unknown }
  return NAMED.includes(String(id)) ? id : roleOf(email ?? id, roles)
}

/** Not people. */
const NAMED = ['operator', 'ledger']

/** JSON with the people in it by their roles. */
function withRoles(value: unknown, roles: Roles): unknown {
  if (Array.isArray(value)) return value.map((item) => withRoles(item, roles))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      roleNames.has(name) ? roleOf(item, roles) : name === BY ? roleBy(item, roles) : withRoles(item, roles),
    ]),
  )
}
