import { statfs } from 'node:fs/promises'
import type { Work } from './messages.ts'
import { statementsBy } from './statements.ts'

const MB = 1_048_576
/** PostgreSQL allocates its log 16 MB at a time, and breaks down without space for it. */
const LOW_BYTES = 48 * MB
/** Higher than the first limit, so that the state does not flap. */
const ENOUGH_BYTES = 64 * MB

type Post = <T>(work: Work) => Promise<T>
type Log = { warn: (message: string) => void; info: (message: string) => void }

/**
 * Makes the database read-only while its disk is nearly full, so that it never runs out of space in the middle of a
 * write. That breakdown may last until there is space again, and reading would stop too.
 */
export function watchDiskSpace(folder: string, options: { post: Post; log: Log; everyMs?: number }) {
  const { post, log, everyMs = 500 } = options
  const { exec } = statementsBy(post, { alone: true })
  let isLow = false
  const statement = () => `set default_transaction_read_only = ${isLow ? 'on' : 'off'}`

  async function look() {
    const { bavail, bsize } = await statfs(folder)
    const left = bavail * bsize
    if (isLow ? left < ENOUGH_BYTES : left >= LOW_BYTES) return
    isLow = !isLow
    if (isLow)
      log.warn(
        `The disk of ${folder} has only ${Math.floor(left / MB)} MB left. Nothing can be saved until there is more space.`,
      )
    else log.info(`The disk of ${folder} has enough space again.`)
    await exec(statement())
  }

  // A failed check changes nothing; the next one runs again. A database that is reopened gets the setting from
  // `statements`.
  const timer = setInterval(() => void look().catch(() => {}), everyMs).unref()
  return {
    /** The statements that give a new session the same setting. */
    statements: () => [statement()],
    stop: () => clearInterval(timer),
  }
}
