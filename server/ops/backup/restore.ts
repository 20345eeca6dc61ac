import { sql } from 'drizzle-orm'
import pg from 'pg'
import { beginBulkLoad } from '#server/db/bulk-load.ts'
import { type Database, firstCause, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { type Migration, migrate, migrateTables, readMigrations, refuseBeforeBaseline } from '#server/db/migrate.ts'
import { APPLICATION_NAME } from '#server/db/postgres-listen.ts'
import { createStages, type Progress } from '#server/db/progress.ts'
import { type Applied, applyLedger, type Erase } from '#server/ledger/apply.ts'
import type { LedgerLine } from '#server/ledger/lines.ts'
import { listLines } from '#server/ledger/store.ts'
import { pauseSending } from '#server/sending/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Backup, type BackupFile, openBackup, partsOf } from './read.ts'
import { deleteAccess, schemaOf, setStableFormats, type Table, tablesOf } from './tables.ts'

/** Characters of JSON in one statement: enough to be fast, little enough for memory. */
const CHARACTERS_A_STATEMENT = 1_000_000

type Options = {
  onProgress?: (progress: Progress) => void
  migrations?: Migration[]
  /**
   * For a move to another machine, where everyone stays signed in. Otherwise a backup may be older than a sign-out or a
   * reset.
   */
  keepsSessions?: boolean
  /** The lines of all ledgers that were found or given; undefined when there are none. */
  ledger?: LedgerLine[] | undefined
  /** Restores without a ledger where there is none. */
  withoutLedger?: boolean
  erase: Erase
}

/**
 * Fills an empty database from a backup of either kind of database: all of it, or nothing. Loads a backup of an older
 * schema under that schema, then migrates it. Throws a `StartupError` for people.
 */
export async function restoreBackup(
  { db, execute }: OpenDatabase,
  file: BackupFile,
  { onProgress = () => {}, migrations: given, keepsSessions = false, withoutLedger = false, ...options }: Options,
): Promise<{ backup: Backup; rows: number; applied: Applied }> {
  const stage = createStages(onProgress)
  const backup = await stage('checksum', () => openBackup(file))
  const migrations = given ?? (await readMigrations())
  const known = Math.max(...migrations.map(({ number }) => number))
  if (backup.header.schema > known) {
    throw new StartupError(
      `The backup is from a newer Sourcebook (schema ${backup.header.schema}, this one supports ${known}). Restore it with version ${backup.header.sourcebook} or a newer one.`,
    )
  }

  refuseBeforeBaseline('The backup', backup.header.schema, 'Restore it and make a new backup')

  const restore = async (tx: Database) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
    await setStableFormats(tx)
    await refuseUnlessEmpty(tx, backup)
    const ledger = [...(await linesIn(tx)), ...(options.ledger ?? [])]
    if (ledger.length === 0 && options.ledger === undefined && !withoutLedger) throw noLedger()
    // Without triggers, unless a server has started here before.
    await migrateTables(
      tx,
      migrations.filter(({ number }) => number <= backup.header.schema),
    )
    const tables = await tablesOf(tx)
    // Disables the triggers first: they protect the audit log from being emptied, and would record the restored rows.
    const finishBulkLoad = await beginBulkLoad(
      tx,
      tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`),
    )
    // A previous start may have left its secret, its migration numbers and denied requests.
    await tx.execute(sql`truncate ${namesOf(tables)}`)
    const count = await load(tx, backup, tables, onProgress)
    await finishBulkLoad(stage)
    await stage('newest schema', () => migrate(tx, migrations))
    await tx.execute(sql`select begin_feed()`)
    const applied = await applyLedger(tx, ledger, options.erase)
    if (!keepsSessions) await deleteAccess(tx)
    // The backup may be of another place, whose people get its mails already.
    await pauseSending(tx, 'restored')
    return { rows: count, applied }
  }
  const restored = await db.transaction(restore).catch((error) => {
    if (error instanceof StartupError) throw error
    throw new StartupError(`Nothing was restored: ${firstCause(error).message}.`)
  })
  // Plans depend on statistics, and index-only scans on the visibility map.
  await stage('vacuum', () => execute('vacuum (analyze)'))
  return { backup, ...restored }
}

/** The ledger of the database itself, which a PostgreSQL may still have. */
async function linesIn(tx: Database): Promise<LedgerLine[]> {
  const isThere = (await tablesOf(tx)).some(({ name }) => name === 'ledger')
  return isThere ? listLines(tx) : []
}

const noLedger = () =>
  new StartupError(
    'No ledger was found in DATA_DIR, in BACKUP_DIR or in the database. It says who was erased, disabled or demoted, who left, and whose password changed since the backup; without it, they come back. Give the ledger.jsonl of the former machine with --ledger FILE, or restore with --without-ledger.',
  )

const namesOf = (tables: Table[]) =>
  sql.join(
    tables.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )

/** Restoring never overwrites people's work, and never changes data under a running server. */
async function refuseUnlessEmpty(tx: Database, { header }: Backup): Promise<void> {
  const [others] = await rowsOf<{ count: number }>(
    tx,
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION_NAME} and pid <> pg_backend_pid()`,
  )
  if (others?.count) throw new StartupError('A server is using this database. Stop every server first.')

  const present = await schemaOf(tx)
  if (present > header.schema) {
    throw new StartupError(
      `A newer Sourcebook has been started here (schema ${present}; the backup has ${header.schema}). Restore into a new folder or database.`,
    )
  }
  const tables = await tablesOf(tx)
  for (const { name } of tables.filter(({ name }) => TABLES_THAT_MUST_BE_EMPTY.includes(name))) {
    const [row] = await rowsOf<{ isThere: boolean }>(
      tx,
      sql`select exists (select from ${sql.identifier(name)}) as "isThere"`,
    )
    if (row?.isThere) {
      throw new StartupError(
        `There are ${name} here already. A backup can only be restored into an empty folder or database. Set DATA_DIR to a new folder, or DATABASE_URL to a new database.`,
      )
    }
  }
}

/** Tables that a start alone leaves empty. */
const TABLES_THAT_MUST_BE_EMPTY = ['accounts', 'records']

/** Loads every row of the backup. Throws unless it has exactly the tables and columns of the schema. */
async function load(
  tx: Database,
  backup: Backup,
  tables: Table[],
  onProgress: (progress: Progress) => void,
): Promise<number> {
  const left = new Map(tables.map((table) => [table.name, table]))
  let table: Table | undefined
  let rows = 0
  let waiting: string[] = []
  let characters = 0
  let since = performance.now()

  const insertWaiting = async () => {
    if (table !== undefined && waiting.length > 0) await insert(tx, table, waiting)
    waiting = []
    characters = 0
  }
  for await (const part of partsOf(backup)) {
    if (part.kind === 'table') {
      table = left.get(part.name)
      const names = table?.columns.map(({ name }) => name).sort()
      if (names === undefined || String(names) !== String(part.columns.toSorted())) throw otherTables(part.name)
      left.delete(part.name)
      since = performance.now()
    } else if (part.kind === 'lines') {
      for (const line of part.lines) {
        waiting.push(line)
        characters += line.length
        if (characters > CHARACTERS_A_STATEMENT) await insertWaiting()
      }
    } else if (part.kind === 'rows') {
      await insertWaiting()
      rows += part.count
      onProgress({ stage: table?.name ?? '', rows: part.count, seconds: (performance.now() - since) / 1000 })
    } else if (part.kind === 'sequence') {
      await tx.execute(sql`select setval(${pg.escapeIdentifier(part.name)}::regclass, ${part.last}::bigint)`)
    }
  }
  for (const name of left.keys()) throw otherTables(name)
  return rows
}

const otherTables = (name: string) =>
  new StartupError(`The backup and this Sourcebook do not agree on the table "${name}". Nothing was restored.`)

async function insert(tx: Database, { name, columns }: Table, lines: string[]): Promise<void> {
  const each = <T>(of: (column: Table['columns'][number]) => T) => sql.join(columns.map(of) as never[], sql`, `)
  await tx.execute(sql`
    insert into ${sql.identifier(name)} (${each((column) => sql.identifier(column.name))}) overriding system value
    select ${each((column) => sql`${sql.identifier(column.name)}::${sql.raw(column.type)}`)}
    from json_to_recordset(${`[${lines.join(',')}]`}::text::json)
      as row (${each((column) => sql`${sql.identifier(column.name)} text`)})`)
}
