import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from './database.ts'
import type { Stage } from './progress.ts'

type Written = { table: string; name: string; definition: string }

/**
 * Drops what makes inserts slow from tables that are about to grow by many rows: indexes and foreign keys. Disables their
 * triggers. Reads all of it from the catalogue; the function that it returns restores it. Call it in a transaction.
 */
export async function beginBulkLoad(tx: Database, tables: string[]) {
  const oids = sql`any (${sql.param(tables)}::text[]::regclass[]::oid[])`
  const references = await rowsOf<Written>(
    tx,
    sql`select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and (conrelid = ${oids} or confrelid = ${oids})`,
  )
  const indexes = await rowsOf<Written>(
    tx,
    sql`select indrelid::regclass::text as table, indexrelid::regclass::text as name,
        pg_get_indexdef(indexrelid) as definition
      from pg_index where indrelid = ${oids} and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  // Not in the definition of an index. Only the first column of an index has a setting.
  const settings = await rowsOf<{ statement: string }>(
    tx,
    sql`select format('alter index %s alter column 1 set statistics %s', attrelid::regclass, attstattarget) as statement
      from pg_attribute join pg_index on indexrelid = attrelid
      where indrelid = ${oids} and attnum = 1 and attstattarget >= 0`,
  )
  const run = (statement: string) => tx.execute(sql.raw(statement))

  for (const table of tables) await run(`alter table ${table} disable trigger user`)
  for (const { table, name } of references) await run(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await run(`drop index ${name}`)

  return async (stage: Stage) => {
    await run(`set local maintenance_work_mem = '256MB'`)
    await run('set local max_parallel_maintenance_workers = 2')
    for (const { name, definition } of indexes) await stage(`index ${name}`, () => run(definition))
    for (const { statement } of settings) await run(statement)
    await stage('references', async () => {
      for (const { table, name, definition } of references) {
        await run(`alter table ${table} add constraint ${name} ${definition}`)
      }
    })
    for (const table of tables) await run(`alter table ${table} enable trigger user`)
  }
}
