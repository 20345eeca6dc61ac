import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '#server/db/test/tcp-proxy.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { freshDatabase } from '#server/test/test-database.ts'
import { openPostgres } from './postgres.ts'

it('A connection that responds and receives no notices is replaced, and its subscribers learn of the gap', {
  tags: 'slow',
}, async () => {
  const url = await freshDatabase()
  const proxy = await startTcpProxy(url)
  const echo = { echoEveryMs: 100, echoWithinMs: 500 }
  const options = { connections: 2, statementTimeoutMs: 10_000, log: quietLog }
  const database = openPostgres({ ...options, url: proxy.through(url), echo })
  const aside = openPostgres({ ...options, url })
  const events: string[] = []
  const stop = await database.listen({ records: (payload) => events.push(payload) }, () => events.push('gap'))
  onTestFinished(async () => {
    await stop()
    await Promise.all([database.close(), aside.close()])
    await proxy.close()
  })
  const change = (payload: string) => aside.execute("select pg_notify('records', $1)", [payload])

  await change('first')
  await pause(500)
  expect(events).toEqual(['first'])

  proxy.withhold()
  await change('lost')
  await expect.poll(() => events).toEqual(['first', 'gap'])
  await change('second')
  await expect.poll(() => events).toEqual(['first', 'gap', 'second'])
})
