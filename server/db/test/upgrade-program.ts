/**
 * A program for tests to kill. Opens the database of the settings like the product, and applies one extra migration. In
 * the middle of that migration it prints `half way` and waits.
 */
import { pino } from 'pino'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openAsItIs } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'

const lost = (reason: Error) => {
  throw reason
}
const settings = readSettings(process.env)
const database = await openAsItIs(settings, pino({ level: 'silent' }), lost)
/** The migration reads them one by one, so that `half way` is printed while the last statement runs. */
function* statements() {
  yield 'create table half (id int)'
  yield `update accounts set name = 'Half way'`
  setTimeout(() => process.stdout.write('half way\n'), 500)
  yield 'select pg_sleep(60)'
}
const slow = { number: 9001, name: '9001-slow.sql', statements: statements() as unknown as string[] }
await migrate(database.db, [...(await readMigrations()), slow])
