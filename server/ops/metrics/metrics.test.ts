import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { backUpIfDue } from '#server/ops/backup/schedule.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { type MailServer, openMailServer } from '#server/test/mail-server.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let post: MailServer
let client: TestClient
let port: number
let email: string
beforeAll(async () => {
  port = await freePort()
  post = await openMailServer()
  test = await startTestApp({ METRICS_PORT: String(port), SMTP_URL: post.url })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  email = (await makeAccount(test.db, { emailVerified: true })).email
  client = test.visitor()
  await client.post('/api/auth/login', { email, password: PASSWORD })
})
afterAll(async () => {
  await test.close()
  await post.close()
})

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })

const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

type Sample = { name: string; labels: string; value: number }

/** Parses the text format strictly; throws at the first invalid line. */
function read(text: string): Sample[] {
  expect(text.endsWith('\n')).toBe(true)
  let family = ''
  const samples: Sample[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line)
    if (type) family = type[1] as string
    if (line.startsWith('#')) {
      expect(line).toMatch(/^# (HELP [a-z_]+ [A-Z].+\.|TYPE [a-z_]+ \w+)$/)
      continue
    }
    const [, name = '', labels = '', value = ''] =
      /^([a-z_]+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (\S+)$/.exec(line) ?? []
    expect(name, line).toMatch(new RegExp(`^${family}(_bucket|_sum|_count)?$`))
    expect(Number(value), line).not.toBeNaN()
    samples.push({ name, labels, value: Number(value) })
  }
  return samples
}

const sampleOf = (samples: Sample[], name: string, labels = '') =>
  samples.find((sample) => sample.name === name && sample.labels.includes(labels))?.value

describe('Metrics', () => {
  it('are in the text format, one sample per line, under the declared type', async () => {
    const samples = read(await metrics())
    expect(samples.length).toBeGreaterThan(30)
    expect(new Set(samples.map(({ name, labels }) => name + labels)).size).toBe(samples.length)
  })

  it('count responses by method, route pattern and status class', async () => {
    const labels = 'method="GET",route="/api/founders/:id",status="4xx"'
    const before = sampleOf(read(await metrics()), 'sourcebook_http_request_seconds_count', labels) ?? 0
    for (let count = 0; count < 3; count += 1) await client.get('/api/founders/01900000-0000-7000-8000-000000000000')
    const samples = read(await metrics())
    expect(sampleOf(samples, 'sourcebook_http_request_seconds_count', labels)).toBe(before + 3)
    expect(sampleOf(samples, 'sourcebook_http_request_seconds_bucket', `${labels},le="+Inf"`)).toBe(before + 3)
    expect(sampleOf(samples, 'sourcebook_http_requests_in_flight')).toBe(0)
  })

  it('include statements, memory, the event loop, streams and the queue', async () => {
    const stream = new AbortController()
    const { port: main } = test.app.server.address() as AddressInfo
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    await fetch(`http://127.0.0.1:${main}/api/events`, { headers: { cookie }, signal: stream.signal })
    const samples = read(await metrics())
    stream.abort()
    expect(sampleOf(samples, 'sourcebook_streams')).toBe(1)
    expect(sampleOf(samples, 'sourcebook_http_requests_in_flight')).toBe(0)
    expect(sampleOf(samples, 'sourcebook_statement_seconds_count')).toBeGreaterThan(3)
    expect(sampleOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(sampleOf(samples, 'nodejs_eventloop_lag_seconds', 'quantile="0.99"')).toBeGreaterThanOrEqual(0)
    expect(sampleOf(samples, 'sourcebook_enrichment_queue', 'state="waiting"')).toBe(0)
  })

  it('include the connections to the database', async () => {
    await client.get('/api/auth/me')
    const samples = read(await metrics())
    expect(sampleOf(samples, 'sourcebook_database_connections', 'state="idle"')).toBeGreaterThan(0)
    expect(sampleOf(samples, 'sourcebook_database_waiting')).toBe(0)
  })

  it('count requests that got a Retry-After', async () => {
    const other = await makeAccount(test.db)
    const visitor = test.visitor()
    for (let count = 0; count < 7; count += 1) {
      await visitor.post('/api/auth/login', { email: other.email, password: 'a wrong password' })
    }
    expect(sampleOf(read(await metrics()), 'sourcebook_http_throttled_total', 'status="429"')).toBeGreaterThan(0)
  })

  it('count accepted and refused mails', async () => {
    for (const mood of ['taking', 'refusing', 'taking'] as const) {
      post.be(mood)
      const newcomer = { email: `${mood}-${Date.now()}@mit.edu`, password: PASSWORD, name: 'Ada' }
      await test.visitor().post('/api/auth/register', newcomer)
    }
    const samples = read(await metrics())
    expect(sampleOf(samples, 'sourcebook_mails_total', 'result="sent"')).toBe(2)
    expect(sampleOf(samples, 'sourcebook_mails_total', 'result="failed"')).toBe(1)
  })

  it('show the time of the newest scheduled backup, and count failed ones', async () => {
    expect(sampleOf(read(await metrics()), 'sourcebook_newest_backup_timestamp_seconds')).toBeUndefined()
    const dir = mkdtempSync(join(tmpdir(), 'sourcebook-measured-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const plan = { dir, everyHours: 1, keep: 1 }
    const { database } = test
    await backUpIfDue(database, plan, quietLog)
    const failing = { ...database, snapshot: () => Promise.reject(new Error('No room')) }
    await backUpIfDue(failing, { ...plan, everyHours: 0 }, quietLog)
    const samples = read(await metrics())
    const at = sampleOf(samples, 'sourcebook_newest_backup_timestamp_seconds') ?? 0
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(60)
    expect(sampleOf(samples, 'sourcebook_backups_total', 'result="made"')).toBe(1)
    expect(sampleOf(samples, 'sourcebook_backups_total', 'result="failed"')).toBe(1)
  })

  it('contain no typed text, and a bounded number of labels for any requests', { tags: 'slow' }, async () => {
    for (let count = 0; count < 50; count += 1) {
      await client.get(`/api/founders?search=personal-${count}`)
      await client.get(`/api/personal-${count}`)
      await client.get(`/personal-${count}.js`)
      await client.get(`/personal-${count}`)
    }
    const text = await metrics()
    expect(text).not.toContain('personal')
    expect(text).not.toContain(email)
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route))
    for (const route of routes)
      expect(route).toMatch(/^(none|page|\/healthz|\/readyz|\/api\/[a-z/:.-]+|\/api\/.*:\w+.*)$/i)
    expect(routes.size).toBeLessThan(40)
  })

  it('are not served on the port of the product, and their port serves only them', async () => {
    const answer = await client.get('/metrics')
    expect(answer.text).not.toContain('# TYPE')
    expect((await client.get('/api/metrics')).status).toBe(404)
    for (const path of ['/', '/api/founders', '/metrics/', '/metrics?x']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
    }
  })

  it('are off unless METRICS_PORT is set, and end with the server', { tags: 'slow' }, async () => {
    const other = await startTestApp({ METRICS_PORT: String(await freePort()) })
    await other.app.ready()
    await other.close()
    const without = await startTestApp()
    expect((await without.visitor().get('/healthz')).status).toBe(200)
    await without.close()
  })

  it('on a port in use prevent the start, with a sentence', { tags: 'slow' }, async () => {
    const other = await startTestApp({ METRICS_PORT: String(port) })
    await expect(other.app.ready()).rejects.toThrow(
      `Port ${port} is in use. Stop what uses it, or set METRICS_PORT to another one.`,
    )
    await other.close()
  })
})
