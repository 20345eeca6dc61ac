import type pg from 'pg'
import type { Log } from '#server/log.ts'

/** A connection that is checked out for longer may be waiting for a response that never comes. */
const SUSPICIOUS_AFTER_MS = 1_000
const LOOK_EVERY_MS = 500
/** Counts only steps in which this process was awake: a busy process receives responses late. */
const TIMEOUT_STEPS = 8
const STEP_MS = 250
/** The pause after a response. Long statements are rare, and each probe costs the server a connection. */
const TRUST_FOR_MS = 2_000

type Watched = Pick<pg.Pool, 'on'>
type CheckedOut = Pick<pg.PoolClient, 'connection'>

/**
 * A network that drops packets breaks no connection: a request would wait until the limit of its statement, and those
 * behind it too. So while a connection is checked out for long, this probes the database over a new one. Without an
 * answer, all waiting requests fail immediately. Returns a function that stops it.
 */
export function watchConnections(pool: Watched, { connect, log }: { connect: () => pg.Client; log: Log }): () => void {
  const checkedOutAt = new Map<CheckedOut, number>()
  let trustedUntil = 0
  let isLooking = false

  pool.on('acquire', (client) => checkedOutAt.set(client, Date.now()))
  pool.on('release', (_error, client) => checkedOutAt.delete(client))

  const overdue = () =>
    [...checkedOutAt].filter(([, at]) => Date.now() - at > SUSPICIOUS_AFTER_MS).map(([client]) => client)

  async function look() {
    if (isLooking || Date.now() < trustedUntil || overdue().length === 0) return
    isLooking = true
    const waiting = overdue()
    if (await answers(connect())) trustedUntil = Date.now() + TRUST_FOR_MS
    else giveUp(waiting.filter((client) => checkedOutAt.has(client)))
    isLooking = false
  }

  function giveUp(clients: CheckedOut[]) {
    if (clients.length === 0) return
    log.warn(`The database cannot be reached; ${clients.length} waiting connections were closed`)
    // `end` would wait for a response. The pool opens new connections.
    for (const client of clients) client.connection.stream.destroy()
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Whether a database responds. A refusal counts, for example because it is full or starting. */
async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {})
  const timeout = Promise.withResolvers<false>()
  let steps = 0
  const clock = setInterval(() => {
    steps += 1
    if (steps === TIMEOUT_STEPS) timeout.resolve(false)
  }, STEP_MS)
  const asked = client.connect().then(
    () => true,
    (error: { severity?: string }) => error.severity !== undefined,
  )
  const isThere = await Promise.race([asked, timeout.promise])
  clearInterval(clock)
  void client.end().catch(() => {})
  return isThere
}
