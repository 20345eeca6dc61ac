import type pg from 'pg'
import type { Log } from '#server/log.ts'

/** A connection that is lent out for longer may be waiting for an answer that never comes. */
const SUSPICIOUS_AFTER_MS = 1_000
const LOOK_EVERY_MS = 500
/** Counted in steps that this process was awake for: one that is busy itself hears an answer late. */
const PATIENCE_STEPS = 8
const STEP_MS = 250
/** After an answer. Long statements are rare, and each look costs the server a connection. */
const TRUST_FOR_MS = 2_000

type Watched = Pick<pg.Pool, 'on'>
type Lent = Pick<pg.PoolClient, 'connection'>

/**
 * A network that swallows packets breaks no connection: a request would wait for its answer until the limit of its
 * statement, and the ones behind it for theirs. So while a connection is lent out for long, the database is asked over a
 * new one; when that gets no answer, those that wait are told. Returns the way to stop.
 */
export function watchConnections(pool: Watched, { connect, log }: { connect: () => pg.Client; log: Log }): () => void {
  const lentAt = new Map<Lent, number>()
  let trustedUntil = 0
  let isLooking = false

  pool.on('acquire', (client) => lentAt.set(client, Date.now()))
  pool.on('release', (_error, client) => lentAt.delete(client))

  const overdue = () => [...lentAt].filter(([, at]) => Date.now() - at > SUSPICIOUS_AFTER_MS).map(([client]) => client)

  async function look() {
    if (isLooking || Date.now() < trustedUntil || overdue().length === 0) return
    isLooking = true
    const waiting = overdue()
    if (await answers(connect())) trustedUntil = Date.now() + TRUST_FOR_MS
    else giveUp(waiting.filter((client) => lentAt.has(client)))
    isLooking = false
  }

  function giveUp(clients: Lent[]) {
    if (clients.length === 0) return
    log.warn(`The database cannot be reached; ${clients.length} waiting connections were closed`)
    // To end a client would wait for its answer. The pool makes new ones.
    for (const client of clients) client.connection.stream.destroy()
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Whether there is a database at all: one that refuses, as for being full up or just starting, is one. */
async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {})
  const patience = Promise.withResolvers<false>()
  let steps = 0
  const clock = setInterval(() => {
    steps += 1
    if (steps === PATIENCE_STEPS) patience.resolve(false)
  }, STEP_MS)
  const asked = client.connect().then(
    () => true,
    (error: { severity?: string }) => error.severity !== undefined,
  )
  const isThere = await Promise.race([asked, patience.promise])
  clearInterval(clock)
  void client.end().catch(() => {})
  return isThere
}
