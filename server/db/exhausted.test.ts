import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { fellowOf } from '#server/test/fellow.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp } from '#server/test/test-app.ts'

const CONNECTIONS = 3

it('causes 503 with a sentence while slow statements hold all of its connections, and serves again after them', async () => {
  const test = await startTestApp({}, quietLog, undefined, { connections: CONNECTIONS })
  onTestFinished(() => test.close())
  const { client } = await fellowOf(test)
  const slow = Promise.all(Array.from({ length: CONNECTIONS }, () => test.db.execute(sql`select pg_sleep(6)`)))
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/founders')))
  for (const { status, body } of answers)
    expect([status, body.error]).toEqual([503, 'The database is not responding. Try again in a moment.'])
  await slow
  expect((await client.get('/api/founders')).status).toBe(200)
})
