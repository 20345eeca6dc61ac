import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { type Cluster, isReady, openCluster, start, timeUntil } from './test/worlds.ts'
import { newFounder } from './test/writers.ts'

const REFUSED_WITHIN_MS = within(5_000)
const BACK_WITHIN_MS = within(5_000)
const POOL = 3
const MAX_CONNECTIONS = 20

let cluster: Cluster
beforeAll(async () => {
  cluster = await openCluster({ max_connections: String(MAX_CONNECTIONS), superuser_reserved_connections: '3' })
  return () => cluster.stop()
})

/** A server with a small pool, on a database where adding a note that begins with "slow" takes 20 seconds. */
async function world(settings: Record<string, string> = {}) {
  const url = await cluster.newDatabase()
  const server = await start({ DATABASE_URL: url, DATABASE_POOL: String(POOL), ...settings })
  const { call, join } = caller()
  await join(server)
  const founder = await newFounder(call, server, 'Slow')
  await cluster.ask(
    url,
    `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return new; end $$;
     create trigger dawdle before insert on notes for each row when (new.content like 'slow%') execute function dawdle()`,
  )
  const asked = async (method: string, path: string, body?: unknown) => {
    const began = Date.now()
    const answer = await call(server, method, path, body)
    const { error } = (await answer.json()) as { error?: string }
    return { status: answer.status, error, tookMs: Date.now() - began }
  }
  const addNote = (content: string) => asked('POST', `/notes/founder/${founder}`, { content })
  const connections = () =>
    cluster.ask(url, `select pid, state from pg_stat_activity where application_name = 'sourcebook'`)
  return { url, server, asked, addNote, connections }
}

const refused = { status: 503, error: 'The database is not responding. Try again in a moment.' }

describe('An exhausted PostgreSQL', { timeout: PATIENCE_MS }, () => {
  it('stops a statement at its limit, and continues with the next', async () => {
    const { addNote } = await world({ STATEMENT_TIMEOUT_SECONDS: '1' })
    expect(await addNote('slow')).toMatchObject(refused)
    expect(await addNote('quick')).toMatchObject({ status: 201 })
  })

  it('causes 503 without a wait while slow statements hold the pool, and recovers by itself', async () => {
    const { url, server, asked, addNote, connections } = await world({ STATEMENT_TIMEOUT_SECONDS: '12' })
    const holding = Promise.all(Array.from({ length: POOL }, (_, index) => addNote(`slow ${index}`)))
    const busy = `select from pg_stat_activity where application_name = 'sourcebook' and wait_event = 'PgSleep'`
    await timeUntil(async () => (await cluster.ask(url, busy)).length === POOL, within(5_000), 'the pool is held')

    const answers = await Promise.all(Array.from({ length: 20 }, () => asked('GET', '/founders')))
    for (const answer of answers) expect(answer).toMatchObject(refused)
    const slowest = Math.max(...answers.map(({ tookMs }) => tookMs))
    expect(slowest).toBeLessThan(REFUSED_WITHIN_MS)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)

    for (const answer of await holding) expect(answer).toMatchObject(refused)
    const backMs = await timeUntil(() => isReady(server), BACK_WITHIN_MS, 'ready')
    expect(await addNote('quick')).toMatchObject({ status: 201 })
    // Two more connections listen: for changes, and for jobs.
    expect((await connections()).length).toBeLessThanOrEqual(POOL + 2)
    // Work in the background may use one of them now and then.
    const isIdle = async () => (await connections()).every(({ state }) => state === 'idle')
    await timeUntil(isIdle, within(5_000), 'all connections are idle')
    printLine(`A pool held by slow statements: 503 in ${seconds(slowest)} at most, back in ${seconds(backMs)}`)
  })

  it('causes 503 without a wait while others hold all its connections, and recovers by itself', async () => {
    const { url, server, asked, addNote } = await world()
    const others: pg.Client[] = []
    onTestFinished(async () => void (await Promise.all(others.map((client) => client.end()))))
    const takeOne = async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect().then(
        () => others.push(client),
        () => {},
      )
    }
    const endThoseOfServer = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sourcebook'`
    const areAllTaken = async () => {
      await takeOne()
      await others[0]?.query(endThoseOfServer)
      return others.length === MAX_CONNECTIONS
    }
    // The server would come back for each connection that it loses.
    process.kill(server.pid, 'SIGSTOP')
    await timeUntil(areAllTaken, within(10_000), 'others hold all connections')
    process.kill(server.pid, 'SIGCONT')

    const answers = await Promise.all(Array.from({ length: 20 }, () => asked('GET', '/founders')))
    for (const answer of answers) expect(answer).toMatchObject(refused)
    const slowest = Math.max(...answers.map(({ tookMs }) => tookMs))
    expect(slowest).toBeLessThan(REFUSED_WITHIN_MS)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)

    await Promise.all(others.splice(0).map((client) => client.end()))
    const backMs = await timeUntil(() => isReady(server), BACK_WITHIN_MS, 'ready')
    expect(await addNote('quick')).toMatchObject({ status: 201 })
    printLine(`A PostgreSQL without free connections: 503 in ${seconds(slowest)} at most, back in ${seconds(backMs)}`)
  })
})
