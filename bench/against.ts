import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAsItIs } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { STATEMENT_TIMEOUT_MS } from '../scripts/seed/load-large-world.ts'
import { printRatios, type Side, startSide } from './pairs.ts'

/** The calls that are compared unless others are named. */
const COMPARED = '^(list|search, common|search, rare|create|dashboard|get|add a note|move)$'
/** The least number of pairs whose median counts. */
const PAIRS = 9

type Options = {
  commit: string
  founders: number
  seconds: number
  only: string | undefined
  /** The address of a new database; without it, both run on databases of their own in folders. */
  createDatabase: ((name: string) => Promise<string>) | undefined
  say: (line: string) => void
}

/**
 * Compares this code with an earlier commit in one run. The commit seeds a database, and its backup is restored into
 * that of this code, so both read the same records.
 */
export async function measureAgainst({ commit, founders, seconds, only, createDatabase, say }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-against-'))
  const earlier = join(folder, 'earlier')
  const here = process.cwd()
  const settingsOf = async (name: string) => ({
    DATA_DIR: join(folder, name),
    ...(createDatabase && { DATABASE_URL: await createDatabase(`bench_${name}`) }),
  })
  const sides: Side[] = []
  try {
    execFileSync('git', ['worktree', 'add', '--quiet', '--detach', earlier, commit])
    const [theirs, ours] = [await settingsOf('theirs'), await settingsOf('ours')]
    const backup = join(folder, 'backup')
    await run(earlier, ['scripts/build.mjs'], theirs)
    await run(earlier, ['scripts/seed.mjs', '--founders', String(founders)], theirs)
    await run(earlier, ['scripts/operator.mjs', 'backup', backup], theirs)
    say(`${commit} has loaded ${founders.toLocaleString('en')} founders`)
    await run(here, ['scripts/operator.mjs', 'restore', backup, '--without-ledger'], ours)
    await settle(ours)
    if (createDatabase) await settle(theirs)
    say('Restored and laid out')
    sides.push(await startSide(earlier, theirs))
    sides.push(await startSide(here, ours))
    const [before, after] = sides as [Side, Side]
    say(`This code divided by ${commit}: the median (quartiles) of ${PAIRS} pairs`)
    await printRatios(before, after, { pairs: PAIRS, seconds, only: only ?? COMPARED, password: PASSWORD, say })
  } finally {
    for (const side of sides) await side.stop()
    if (existsSync(earlier)) execFileSync('git', ['worktree', 'remove', '--force', earlier])
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Lays the records out in their order, as an empty database that grew would have them: a restore and the migrations
 * after it shuffle them. Nothing is left to be done in the background while calls are measured.
 */
async function settle(place: Record<string, string>) {
  const settings = { ...readSettings(place), statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const database = await openAsItIs(settings, quietLog, (reason) => {
    throw reason
  })
  for (const statement of [
    'truncate duplicate_checks',
    'create index records_in_order on records (created_at, id)',
    'cluster records using records_in_order',
    'drop index records_in_order',
    'vacuum analyze',
  ])
    await database.execute(statement)
  await database.close()
}

/** Runs a script of a commit in its folder. */
function run(folder: string, args: string[], settings: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code} in ${folder}`)),
    )
  })
}
