import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Import } from '#contract/import.ts'
import { caller } from '#server/test/http-caller.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

const running = new Set<ServerProcess>()
afterEach(async () => {
  await Promise.all([...running].map((server) => server.end('SIGKILL')))
  running.clear()
})

const ROWS = 600
/** Names that are similar to no other. */
const FILE = [
  'Name,LinkedIn',
  ...Array.from(
    { length: ROWS },
    (_, row) => `${(row * 7919).toString(36)}v ${row.toString(26)}z,https://linkedin.com/in/p${row}`,
  ),
].join('\n')

const isBusy = ({ state }: Import) => ['reading', 'running', 'reverting'].includes(state)

async function startProduct() {
  const settings = { ...(await freshDatabaseSettings()), ENRICHMENT_PROVIDERS: 'none', LOG_LEVEL: 'info' }
  const start = async () => {
    const server = await startServer({ settings })
    running.add(server)
    return server
  }
  const { call, headers, join } = caller()
  let server = await start()
  await join(server)
  const get = async (id: string) => (await (await call(server, 'GET', `/imports/${id}`)).json()) as Import
  return {
    post: async (path: string) => (await call(server, 'POST', path)).status,
    upload: async () => {
      const answer = await fetch(`${server.url}/api/imports?name=people.csv`, {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/octet-stream' },
        body: FILE,
      })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as Import).id
    },
    /** Waits until part of a step is done, kills the server, and starts it again. */
    killWithin: async (id: string) => {
      while ((await get(id)).done < 50) await pause(20)
      await server.end('SIGKILL')
      running.delete(server)
      server = await start()
      const now = await get(id)
      expect(isBusy(now)).toBe(true)
      return now
    },
    settled: async (id: string) => {
      for (;;) {
        const now = await get(id)
        if (!isBusy(now)) return now
        await pause(200)
      }
    },
    count: async () => Number((await call(server, 'GET', '/founders?limit=1')).headers.get('x-total-count')),
  }
}

describe('An import interrupted by kill -9', { timeout: 240_000 }, () => {
  it('continues after the restart, as does its revert, and each row is imported once', async () => {
    const { post, upload, killWithin, settled, count } = await startProduct()
    const id = await upload()
    expect(await settled(id)).toMatchObject({ state: 'ready', counts: { created: ROWS, duplicate: 0 }, done: ROWS })
    expect(await post(`/imports/${id}/run`)).toBe(202)
    const within = await killWithin(id)
    expect(within.done).toBeLessThan(ROWS)
    expect(await settled(id)).toMatchObject({ state: 'done', counts: { created: ROWS }, done: ROWS })
    expect(await count()).toBe(ROWS)
    expect(await post(`/imports/${id}/revert`)).toBe(202)
    await killWithin(id)
    expect(await settled(id)).toMatchObject({ state: 'reverted', counts: { reverted: ROWS }, done: ROWS })
    expect(await count()).toBe(0)
  })
})
