import { pino } from 'pino'
import { openDatabase } from '#server/db/open.ts'
import type { Progress } from '#server/db/progress.ts'
import { accounts } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { kinds } from '#server/kinds.ts'
import { asOwner } from '#server/ops/cli/identity.ts'
import { readSettings } from '#server/ops/settings.ts'
import { countRecords } from '#server/records/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { readSize } from './seed/arguments.ts'
import { loadLargeWorld, STATEMENT_TIMEOUT_MS } from './seed/load-large-world.ts'
import { loadSmallWorld } from './seed/load-small-world.ts'

/** A large world has many accounts. */
const LISTED = 20

const say = (line: string) => process.stdout.write(`${line}\n`)

async function seed(settings: Settings) {
  const size = readSize(process.argv.slice(2))
  const lost = (reason: Error) => {
    throw reason
  }
  const database = await openDatabase(settings, pino({ level: 'silent' }), lost)
  const countAll = () => Promise.all(kinds.map((kind) => countRecords(database.db, kind)))
  try {
    if ((await countAll()).some((count) => count > 0)) {
      throw new StartupError(
        'This database already has records. The seed needs an empty one. Set DATA_DIR to a new folder.',
      )
    }
    if (size === undefined) await loadSmallWorld(database.db)
    else await loadLargeWorld(database, { ...size, onProgress: report })
    const counts = await countAll()
    const people = await database.db.select({ name: accounts.name, email: accounts.email }).from(accounts).limit(LISTED)
    say(`Seeded ${kinds.map(({ path }, place) => `${counts[place]?.toLocaleString('en')} ${path}`).join(' and ')}.`)
    say(`Sign in with the password "${PASSWORD}" as one of:`)
    for (const { name, email } of people) say(`  ${email.padEnd(28)} ${name}`)
  } finally {
    await database.close()
  }
}

const report = ({ stage, rows, seconds }: Progress) =>
  say(`${stage.padEnd(40)} ${(rows?.toLocaleString('en') ?? '').padStart(10)} ${seconds.toFixed(1).padStart(7)} s`)

try {
  const settings = { ...readSettings(process.env), statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  await asOwner(settings, () => seed(settings))
} catch (error) {
  process.stderr.write(
    `${error instanceof StartupError ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
