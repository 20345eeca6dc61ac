import { statfs } from 'node:fs/promises'
import { withClient } from './client.ts'

const MB = 1_048_576
/** PostgreSQL allocates its log 16 MB at a time, and cannot start without space for it. */
const LOW_BYTES = 48 * MB
/** Higher than the first limit, so that the state does not flap. */
const ENOUGH_BYTES = 64 * MB

type Log = { warn: (message: string) => void; info: (message: string) => void }

/**
 * Makes the database read-only while its disk is nearly full, so that it never runs out of space in the middle of a
 * write. That breakdown may last until there is space again, and reading would stop too.
 */
export function watchDiskSpace(folder: string, options: { superuserUrl: string; log: Log; everyMs?: number }) {
  const { superuserUrl, log, everyMs = 500 } = options
  /** Unknown at first: the setting outlives the server. */
  let isLow: boolean | undefined

  async function look() {
    const { bavail, bsize } = await statfs(folder)
    const left = bavail * bsize
    const next = left < (isLow ? ENOUGH_BYTES : LOW_BYTES)
    if (next === isLow) return
    const wasLow = await set(next)
    isLow = next
    if (isLow)
      log.warn(
        `The disk of ${folder} has only ${Math.floor(left / MB)} MB left. Nothing can be saved until there is more space.`,
      )
    else if (wasLow) log.info(`The disk of ${folder} has enough space again.`)
  }

  /** For all sessions at once. Returns what it was. */
  const set = (isReadOnly: boolean) =>
    withClient(superuserUrl, async (client) => {
      const { rows } = await client.query('show default_transaction_read_only')
      const was = rows[0].default_transaction_read_only === 'on'
      if (was !== isReadOnly) {
        await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
        await client.query('select pg_reload_conf()')
      }
      return was
    })

  // A failed check changes nothing; the next one runs again.
  const timer = setInterval(() => void look().catch(() => {}), everyMs).unref()
  return { look, stop: () => clearInterval(timer) }
}
