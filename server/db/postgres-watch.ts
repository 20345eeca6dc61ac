import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Log } from '#server/log.ts'

/** A connection that is checked out for longer may be waiting for a response that never comes. */
const SUSPICIOUS_AFTER_MS = 1_000
const LOOK_EVERY_MS = 500
/** Counts only steps in which this process was awake: a busy process receives responses late. */
const TIMEOUT_STEPS = 8
const STEP_MS = 250
/** The pause after a response. Long statements are rare, and each probe costs the server a connection. */
const TRUST_FOR_MS = 500

/** Another server has started at another time. It stays the same through a pooler. */
const SERVER = 'select pg_postmaster_start_time()::text as "startedAt"'
type Server = { startedAt: string }

type Watched = Pick<pg.Pool, 'on'>
type Client = Pick<pg.PoolClient, 'connection' | 'query'>

/**
 * A network that drops packets breaks no connection, and neither does a database that is frozen: a request would wait
 * until the limit of its statement, and those behind it too. So while a connection is checked out for long, this probes
 * the database over a new one. Without an answer, all connections that are silent meanwhile are closed. With an answer
 * of another server, all connections to the former one are. Returns a function that stops it.
 */
export function watchConnections(pool: Watched, { connect, log }: { connect: () => pg.Client; log: Log }): () => void {
  const checkedOutAt = new Map<Client, number>()
  /** When the server of each open connection has started. */
  const startedAt = new Map<Client, string | undefined>()
  let trustedUntil = 0
  let isLooking = false

  pool.on('connect', (client) => {
    startedAt.set(client, undefined)
    client.query<Server>(SERVER, (error, result) => {
      const server = result?.rows[0]
      if (error || server === undefined || !startedAt.has(client)) return
      startedAt.set(client, server.startedAt)
    })
  })
  pool.on('remove', (client) => startedAt.delete(client))
  pool.on('acquire', (client) => checkedOutAt.set(client, Date.now()))
  pool.on('release', (_error, client) => checkedOutAt.delete(client))

  const overdue = () =>
    [...checkedOutAt].filter(([, at]) => Date.now() - at > SUSPICIOUS_AFTER_MS).map(([client]) => client)

  async function look() {
    const waiting = overdue()
    if (isLooking || Date.now() < trustedUntil || waiting.length === 0) return
    isLooking = true
    const before = new Map([...startedAt.keys()].map((client) => [client, bytesFrom(client)]))
    const answer = await probe(connect())
    if (answer === 'none') {
      const silent = [...before].filter(([client, bytes]) => bytesFrom(client) === bytes).map(([client]) => client)
      close(silent, 'The database cannot be reached')
    } else {
      trustedUntil = Date.now() + TRUST_FOR_MS
      if (answer !== 'refusal') close(ofOthers(answer, waiting), 'The database is another server now')
    }
    isLooking = false
  }

  /** Connections to other servers. One that has not said to which is among them if it keeps a caller waiting. */
  const ofOthers = (server: Server, waiting: Client[]) =>
    [...startedAt]
      .filter(([client, at]) => (at === undefined ? waiting.includes(client) : at !== server.startedAt))
      .map(([client]) => client)

  function close(clients: Client[], why: string) {
    const open = clients.filter((client) => startedAt.has(client))
    if (open.length === 0) return
    log.warn(`${why}; ${open.length} connections were closed`)
    // `end` would wait for a response. The pool opens new connections.
    for (const client of open) client.connection.stream.destroy()
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

const bytesFrom = ({ connection }: Client) => (connection.stream as Socket).bytesRead

/** Which server responds. A refusal counts as a response, for example because it is full or starting. */
async function probe(client: pg.Client): Promise<Server | 'refusal' | 'none'> {
  client.on('error', () => {})
  const timeout = Promise.withResolvers<'none'>()
  let steps = 0
  const clock = setInterval(() => {
    steps += 1
    if (steps === TIMEOUT_STEPS) timeout.resolve('none')
  }, STEP_MS)
  const ask = async () => {
    await client.connect()
    return (await client.query<Server>(SERVER)).rows[0] as Server
  }
  const asked = ask().catch(({ severity }: { severity?: string }) => (severity ? 'refusal' : 'none'))
  const answer = await Promise.race([asked, timeout.promise])
  clearInterval(clock)
  void client.end().catch(() => {})
  return answer
}
