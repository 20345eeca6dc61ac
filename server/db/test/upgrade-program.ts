/**
 * For tests to kill: opens the database of the settings as a start does, and brings its schema up to date with one more
 * migration, in the middle of which it says so and waits.
 */
import { pino } from 'pino'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openAsItIs } from '#server/db/open.ts'
import { readSettings } from '#server/env.ts'

const lost = (reason: Error) => {
  throw reason
}
const settings = readSettings(process.env)
const database = await openAsItIs(settings, pino({ level: 'silent' }), lost)
/** Taken one by one: the word is said in an open transaction, while its last statement is under way. */
function* statements() {
  yield 'create table half (id int)'
  yield `update accounts set name = 'Half way'`
  setTimeout(() => process.stdout.write('half way\n'), 500)
  yield 'select pg_sleep(60)'
}
const slow = { number: 9001, name: '9001-slow.sql', statements: statements() as unknown as string[] }
await migrate(database.db, [...(await readMigrations()), slow])
