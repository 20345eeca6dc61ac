import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IMPORT_BYTES_MAX, IMPORT_DAILY_BYTES_MAX, IMPORTS_NOT_RUN_MAX } from '#contract/import.ts'
import { importFiles, imports } from '#server/db/schema.ts'
import { prepare, settled, upload } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

const LIMITS = { headersMs: 10_000, requestMs: 30_000, quietMs: 60_000, checkEveryMs: 1_000, silentMs: 3_000 }

let test: TestApp
let port: number
beforeAll(async () => {
  test = await startTestApp({}, undefined, LIMITS)
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => test.close())

/** An upload whose body is sent by hand, in pieces. */
function openUpload(client: TestClient) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const headers = {
    ...{ cookie, 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '' },
    'content-type': 'application/octet-stream',
  }
  const sent = request({ port, method: 'POST', path: '/api/imports?name=people.csv', headers })
  sent.on('error', () => {})
  const answer = new Promise<{ status: number; error: string | undefined }>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', async (response) => {
      let text = ''
      for await (const piece of response) text += piece
      resolve({ status: response.statusCode ?? 0, error: JSON.parse(text).error })
    })
  })
  answer.catch(() => undefined)
  sent.flushHeaders()
  return { sent, answer }
}

const untilOpen = () => new Promise((resolve) => setTimeout(resolve, 200))

describe('An upload', () => {
  it('is 413 beyond 50 MB, also when it does not announce its size', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { sent, answer } = openUpload(client)
    const piece = Buffer.alloc(1_000_000)
    for (let at = 0; at <= IMPORT_BYTES_MAX / piece.length; at += 1) {
      if (!sent.write(piece)) await new Promise((resolve) => sent.once('drain', resolve))
    }
    expect(await answer).toEqual({ status: 413, error: 'A file can have at most 50 MB. Split it.' })
    sent.destroy()
  })

  it('is 408 when nothing arrives any more', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { sent, answer } = openUpload(client)
    sent.write('Name\n')
    expect(await answer).toEqual({ status: 408, error: 'The upload has stopped. Send the file again.' })
  })

  it('ends the one that its account is sending, and no one else’s', async () => {
    const [mine, others] = [await fellowOf(test), await fellowOf(test)]
    const first = openUpload(mine.client)
    const other = openUpload(others.client)
    first.sent.write('Name\n')
    other.sent.write('Name\n')
    const drip = setInterval(() => other.sent.write('\n'), 200)
    await untilOpen()
    expect((await upload(mine.client, 'Name\nAda')).status).toBe(201)
    expect(await first.answer).toEqual({
      status: 409,
      error: 'You have started another upload, which has ended this one',
    })
    clearInterval(drip)
    other.sent.end('Bob')
    expect((await other.answer).status).toBe(201)
  })

  it('does not wait for slow ones of others', async () => {
    const slow = await Promise.all(Array.from({ length: 4 }, async () => openUpload((await fellowOf(test)).client)))
    const drip = setInterval(() => {
      for (const { sent } of slow) sent.write('x')
    }, 200)
    await untilOpen()
    const { client } = await fellowOf(test)
    const began = Date.now()
    expect((await prepare(client, 'Name\nUma Umber')).state).toBe('ready')
    expect(Date.now() - began).toBeLessThan(10_000)
    clearInterval(drip)
    for (const { sent } of slow) sent.destroy()
  })

  it('that was cut off leaves nothing behind', async () => {
    const { client } = await fellowOf(test)
    const before = await test.db.$count(importFiles)
    const { sent } = openUpload(client)
    sent.write('Name\nAda')
    await untilOpen()
    sent.destroy()
    await untilOpen()
    expect(await test.db.$count(importFiles)).toBe(before)
    expect((await upload(client, 'Name\nAda')).status).toBe(201)
  })
})

describe('What an account uploads', () => {
  it('is limited in 24 hours, deleted imports included: 429 with Retry-After', { tags: 'slow' }, async () => {
    const { client, account } = await fellowOf(test)
    const { body } = await upload(client, 'Name\nAda')
    expect((await client.delete(`/api/imports/${body.id}`)).status).toBe(204)
    await test.db.execute(sql`
      insert into import_volumes (account_id, hour, bytes)
      values (${account.id}, date_trunc('hour', now() - interval '20 hours'), ${IMPORT_DAILY_BYTES_MAX - 20})`)
    const refused = await upload(client, 'Name\nAda, and then some')
    expect([refused.status, refused.body.error]).toEqual([
      429,
      'You can upload at most 500 MB in 24 hours. Try again later.',
    ])
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(3 * 3_600)
    expect(seconds).toBeLessThanOrEqual(5 * 3_600)
    expect((await upload((await fellowOf(test)).client, 'Name\nAda')).status).toBe(201)
    await test.db.execute(sql`update import_volumes set hour = hour - interval '5 hours 1 second'`)
    expect((await upload(client, 'Name\nAda, and then some')).status).toBe(201)
  })

  it('is limited when its size is not announced, too', async () => {
    const { client, account } = await fellowOf(test)
    await test.db.execute(sql`
      insert into import_volumes (account_id, hour, bytes)
      values (${account.id}, date_trunc('hour', now()), ${IMPORT_DAILY_BYTES_MAX - 5})`)
    const { sent, answer } = openUpload(client)
    sent.end('Name\nAda')
    expect((await answer).status).toBe(429)
  })

  it('may be 20 imports that have not run, until one is deleted or run', async () => {
    const { client, account } = await fellowOf(test)
    const { body } = await upload(client, 'Name\nVic Vale')
    await settled(client, body.id)
    await test.db.execute(sql`
      insert into imports (id, account_id, file_name, state, kind, dialect, columns, mapping)
      select gen_random_uuid(), account_id, file_name, 'ready', kind, dialect, columns, mapping
      from imports, generate_series(2, ${IMPORTS_NOT_RUN_MAX}) where id = ${body.id}`)
    const pieces = await test.db.$count(importFiles)
    const refused = await upload(client, 'Name\nAda')
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'You have 20 imports that have not run. Delete one first.' },
    })
    expect(await test.db.$count(importFiles)).toBe(pieces)
    expect((await client.delete(`/api/imports/${body.id}`)).status).toBe(204)
    expect((await upload(client, 'Name\nAda')).status).toBe(201)
    expect(await test.db.$count(imports, sql`account_id = ${account.id} and deleted_at is null`)).toBe(20)
  })
})
