import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { startTape } from '#server/db/test/statement-tape.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

const CONNECTIONS = 3

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({}, undefined, undefined, { connections: CONNECTIONS })
})
afterAll(() => test.close())

describe('Health', () => {
  it('reveals only the state, and needs no session', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, body, headers } = await test.visitor().get(path)
      expect([path, status, body]).toEqual([path, 200, { status: 'ok' }])
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  it('costs the database one query per second, whatever the number of requests', { tags: 'slow' }, async () => {
    await pause(1100)
    const tape = startTape()
    tape.begin()
    const began = Date.now()
    const asked = await Promise.all(Array.from({ length: 200 }, () => test.visitor().get('/readyz')))
    await Promise.all(Array.from({ length: 200 }, () => test.visitor().get('/healthz')))
    const statements = tape.end().flat()
    tape.stop()
    // A busy machine takes longer than a second for so many requests.
    const most = 1 + Math.floor((Date.now() - began) / 1000)
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(statements.map(({ text }) => text))).toEqual(new Set(['select 1']))
    expect(statements.length).toBeLessThanOrEqual(most)
  })

  it('/readyz is 503 while the database is down, and 200 once it is back', { tags: 'slow' }, async () => {
    const [found] = await rowsOf<{ name: string }>(test.db, sql`select current_database() as name`)
    const name = found?.name as string
    const admin = new pg.Client({ connectionString: inject('database').url })
    await admin.connect()
    await admin.query(`alter database ${name} with allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const statusOf = async (path: string) => (await test.visitor().get(path)).status
    await expect.poll(() => statusOf('/readyz'), { timeout: 5000 }).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)
    expect((await test.visitor().get('/readyz')).body).toEqual({ status: 'unavailable' })
    await admin.query(`alter database ${name} with allow_connections true`)
    await admin.end()
    await expect.poll(() => statusOf('/readyz'), { timeout: 5000 }).toBe(200)
  })

  it('/readyz is 503 within 3 s while the database does not respond, and /healthz stays 200', {
    tags: 'slow',
  }, async () => {
    const held = Array.from({ length: CONNECTIONS }, () => test.db.execute(sql`select pg_sleep(5)`).then(() => {}))
    await pause(1100)
    const began = Date.now()
    const answers = await Promise.all(['/readyz', '/healthz'].map((path) => test.visitor().get(path)))
    expect(answers.map(({ status }) => status)).toEqual([503, 200])
    expect(Date.now() - began).toBeLessThan(3000)
    await Promise.all(held)
  })
})
