import { statfs } from 'node:fs/promises'
import type { Work } from './messages.ts'
import { statementsBy } from './statements.ts'

const MB = 1_048_576
/** PostgreSQL takes room for its log 16 MB at a time, and breaks down when there is none. */
const LOW_BYTES = 48 * MB
/** More than that, so that it does not go to and fro. */
const ENOUGH_BYTES = 64 * MB

type Post = <T>(work: Work) => Promise<T>
type Log = { warn: (message: string) => void; info: (message: string) => void }

/**
 * Lets the database only read while its disk is nearly full, so that it never runs out of room in the middle of a write:
 * a breakdown that it may not recover from until there is room again, with all reading stopped.
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

  // A look that fails says nothing; the next one looks again, and a database that breaks down is told when it is back.
  const timer = setInterval(() => void look().catch(() => {}), everyMs).unref()
  return {
    /** What a new session must run to be as the one before. */
    statements: () => [statement()],
    stop: () => clearInterval(timer),
  }
}
