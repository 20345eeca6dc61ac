import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Import } from '#contract/import.ts'
import { caller } from '#server/test/http-caller.ts'
import { startServer } from '#server/test/server-process.ts'
import { freshFolderSettings } from '#server/test/test-database.ts'

// With DATABASE_URL, other processes may still work on a job, so its heartbeat has to end first.

const FILE = ['Name', ...Array.from({ length: 3_000 }, (_, at) => `${(at * 7919).toString(36)}v ${at.toString(26)}z`)]

describe('An import that a crash has interrupted', () => {
  it('goes on right after the next start, before the heartbeat of its job ends', { tags: 'slow' }, async () => {
    const settings = await freshFolderSettings()
    let server = await startServer({ settings })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    const { call, headers, join } = caller()
    await join(server)
    const answer = await fetch(`${server.url}/api/imports?name=people.csv`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/octet-stream' },
      body: FILE.join('\n'),
    })
    const { id } = (await answer.json()) as Import
    const get = async () => (await (await call(server, 'GET', `/imports/${id}`)).json()) as Import
    const until = async (isReached: (now: Import) => boolean) => {
      for (;;) {
        const now = await get()
        if (isReached(now)) return now
        await pause(20)
      }
    }
    await until(({ done }) => done > 50)
    await server.end('SIGKILL')
    server = await startServer({ settings })
    const began = performance.now()
    const before = await get()
    expect(before.state).toBe('reading')
    // Reading starts with the first row.
    await until(({ done, isWaiting }) => done > 0 && done !== before.done && !isWaiting)
    // Under 3 s on an idle machine. Otherwise the heartbeat of the job would have to end first, after 10 s.
    expect(performance.now() - began).toBeLessThan(9_000)
    await call(server, 'DELETE', `/imports/${id}`)
  })
})
