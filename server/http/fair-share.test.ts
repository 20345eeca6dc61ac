import { type ClientRequest, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '#server/http/app.ts'
import { answerError } from './errors.ts'
import { shareFairly } from './fair-share.ts'

const AT_ONCE = 6

/** A server with the routes that the tests need, whose handlers the test finishes. */
let app: App
let port: number
const running = new Map<string, (result: string) => void>()
const begun: string[] = []

const held = (name: string) => {
  begun.push(name)
  return new Promise<string>((resolve) => {
    running.set(name, (result) => {
      running.delete(name)
      resolve(result)
    })
  })
}
const finish = (name: string | undefined) => running.get(name ?? '')?.('done')
const finishAll = async () => {
  for (let idle = 0; idle < 3; idle += 1) {
    if (running.size > 0) idle = -1
    for (const name of running.keys()) finish(name)
    await pause(20)
  }
}

beforeEach(async () => {
  app = Fastify() as unknown as App
  begun.length = 0
  app.setErrorHandler(answerError)
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  shareFairly(app, {
    atOnce: AT_ONCE,
    callerOf: ({ headers }) => ({ id: String(headers.account), ...(headers.token && { token: {} }) }),
  })
  const nameOf = (url: string) => url.split('?')[1] ?? ''
  app.get('/list', async ({ url }) => held(nameOf(url)))
  app.get('/export', { config: { isExport: true } }, async ({ url }) => held(nameOf(url)))
  app.get('/many', { config: { rows: ({ query }) => Number((query as { rows: string }).rows) } }, async ({ url }) =>
    held(nameOf(url)),
  )
  app.get('/events', { config: { isStream: true } }, async ({ url }) => held(nameOf(url)))
  app.get('/outside', async ({ url, outsideShare }) => outsideShare(() => held(nameOf(url))))
  app.post('/file', async ({ url, body }) => {
    begun.push(nameOf(url))
    for await (const _ of body as AsyncIterable<Buffer>);
    return held(`${nameOf(url)} has arrived`)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterEach(async () => {
  app.server.closeAllConnections()
  await finishAll()
  await app.close()
})

type Outcome = { status: number; retryAfter: string | undefined; text: string }
type Sent = { client: ClientRequest; outcome: Promise<Outcome | 'gone'> }

function ask(path: string, { account = 'Ada', method = 'GET', headers = {}, isOpen = false } = {}): Sent {
  const client = send({ port, host: '127.0.0.1', path, method, headers: { account, ...headers }, agent: false })
  const outcome = new Promise<Outcome | 'gone'>((resolve) => {
    client.on('error', () => resolve('gone'))
    client.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text })
    })
  })
  if (!isOpen) client.end()
  return { client, outcome }
}

/** Sends so many in this order. */
async function askMany(count: number, path: string, name: string): Promise<Sent[]> {
  const all: Sent[] = []
  for (let at = 1; at <= count; at += 1) {
    all.push(ask(`${path}?${name}${at}`))
    await pause(3)
  }
  return all
}
const namesFrom = (name: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${name}${from + at}`)
const DONE = { status: 200, text: 'done' }

describe('The calls of one account', () => {
  it('run six at a time, the others in order of arrival, and hold up no other account', { tags: 'slow' }, async () => {
    await askMany(10, '/list', 'a')
    await expect.poll(() => begun).toEqual(namesFrom('a', 1, 6))
    const other = ask('/list?b1', { account: 'Bob' })
    await expect.poll(() => begun.at(-1)).toBe('b1')
    finish('b1')
    expect(await other.outcome).toMatchObject(DONE)
    for (const [ended, next] of [
      ['a3', 'a7'],
      ['a1', 'a8'],
      ['a7', 'a9'],
    ]) {
      finish(ended)
      await expect.poll(() => begun.at(-1)).toBe(next)
    }
  })

  it('wait up to 100; a further one is 429 with Retry-After, and all others are served', { tags: 'slow' }, async () => {
    const all = await askMany(106, '/list', 'a')
    const beyond = ask('/list?beyond')
    expect(await beyond.outcome).toMatchObject({ status: 429, retryAfter: '1' })
    const other = ask('/list?b1', { account: 'Bob' })
    await expect.poll(() => begun.at(-1)).toBe('b1')
    await finishAll()
    expect(await Promise.all(all.map(({ outcome }) => outcome))).toEqual(all.map(() => expect.objectContaining(DONE)))
    expect(await other.outcome).toMatchObject(DONE)
    expect(begun).not.toContain('beyond')
  })

  it('leave the queue when their client has gone', { tags: 'slow' }, async () => {
    const all = await askMany(9, '/list', 'a')
    await expect.poll(() => begun).toEqual(namesFrom('a', 1, 6))
    all[6]?.client.destroy()
    all[7]?.client.destroy()
    await pause(50)
    finish('a1')
    await expect.poll(() => begun.at(-1)).toBe('a9')
    await finishAll()
    expect(begun).toEqual([...namesFrom('a', 1, 6), 'a9'])
  })

  it('count until their handler has ended when their client has gone', async () => {
    const all = await askMany(6, '/list', 'a')
    await expect.poll(() => begun).toEqual(namesFrom('a', 1, 6))
    for (const { client } of all) client.destroy()
    await pause(50)
    ask('/list?next')
    await pause(50)
    expect(begun).not.toContain('next')
    finish('a1')
    await expect.poll(() => begun.at(-1)).toBe('next')
  })

  it('include two exports; a third waits, and other calls do not wait for it', async () => {
    await askMany(3, '/export', 'e')
    await expect.poll(() => begun).toEqual(['e1', 'e2'])
    await askMany(5, '/list', 'a')
    await expect.poll(() => begun).toEqual(['e1', 'e2', ...namesFrom('a', 1, 4)])
    finish('a1')
    await expect.poll(() => begun.at(-1)).toBe('a5')
    finish('a2')
    await pause(50)
    expect(begun).not.toContain('e3')
    finish('e1')
    await expect.poll(() => begun.at(-1)).toBe('e3')
  })

  it.each([
    [1, 6],
    [100, 6],
    [101, 3],
    [300, 2],
    [301, 1],
    [500, 1],
    [600, 1],
    [5000, 1],
  ])('take one place for each 100 rows: of %i rows, %i run', async (rows, count) => {
    for (let at = 1; at <= 7; at += 1) ask(`/many?rows=${rows}&at=${at}`)
    await expect.poll(() => begun.length).toBe(count)
    await pause(50)
    expect(begun).toHaveLength(count)
  })

  it('leave one place beside a call of 500 rows, and none beside one of 501', async () => {
    for (const [account, rows, expected] of [
      ['Ada', 500, 1],
      ['Bob', 501, 0],
    ] as const) {
      begun.length = 0
      ask(`/many?rows=${rows}`, { account })
      await expect.poll(() => begun).toEqual([`rows=${rows}`])
      for (const name of ['a', 'b']) ask(`/list?${name}`, { account })
      await pause(50)
      expect(begun.slice(1)).toHaveLength(expected)
    }
  })

  it('run in order of arrival when one needs several places, so that small ones never pass it', async () => {
    await askMany(6, '/list', 'a')
    await expect.poll(() => begun).toEqual(namesFrom('a', 1, 6))
    ask('/many?rows=300')
    await pause(20)
    ask('/list?b1')
    await pause(20)
    for (const name of ['a1', 'a2']) finish(name)
    await pause(50)
    expect(begun).toEqual(namesFrom('a', 1, 6))
    finish('a3')
    await expect.poll(() => begun.at(-1)).toBe('rows=300')
    finish('rows=300')
    await expect.poll(() => begun.at(-1)).toBe('b1')
  })

  it('begin when the one before them, which needs several places, has gone', async () => {
    await askMany(5, '/list', 'a')
    const large = ask('/many?rows=600')
    await pause(20)
    ask('/list?b1')
    await pause(50)
    expect(begun).toEqual(namesFrom('a', 1, 5))
    large.client.destroy()
    await expect.poll(() => begun.at(-1)).toBe('b1')
  })

  it('do not include live streams, waits for others, and uploads that still arrive', async () => {
    await askMany(6, '/events', 's')
    await askMany(6, '/outside', 'o')
    const upload = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, isOpen: true }
    const uploads = namesFrom('u', 1, 6).map((name) => ask(`/file?${name}`, upload))
    for (const { client } of uploads) client.write('first')
    await expect.poll(() => begun.length).toBe(18)
    await askMany(7, '/list', 'a')
    await expect.poll(() => begun.slice(18)).toEqual(namesFrom('a', 1, 6))
    for (const { client } of uploads) client.end('last')
    await expect.poll(() => begun).toContain('u6 has arrived')
    // The uploads are there now, and count.
    for (const name of namesFrom('a', 1, 6)) finish(name)
    await pause(50)
    expect(begun).not.toContain('a7')
    finish('u1 has arrived')
    await expect.poll(() => begun.at(-1)).toBe('a7')
  })

  it('count although they announce a body that never comes, where no handler reads it', async () => {
    const headers = { 'content-length': '5' }
    for (const name of namesFrom('a', 1, 7)) ask(`/list?${name}`, { headers, isOpen: true }).client.flushHeaders()
    await expect.poll(() => begun.length).toBe(6)
    await pause(50)
    expect(begun.length).toBe(6)
  })

  it('count once each, HEAD too', async () => {
    const all = Array.from({ length: 6 }, (_, at) => ask(`/list?a${at}`, { method: 'HEAD' }))
    await expect.poll(() => begun.length).toBe(6)
    await finishAll()
    expect(await Promise.all(all.map(({ outcome }) => outcome))).toEqual(
      all.map(() => expect.objectContaining({ status: 200 })),
    )
  })
})

describe('The calls of access tokens', () => {
  const token = { token: 'x' }

  it('take at most two of the places of their owner, whose own calls do not wait for them', async () => {
    for (const name of ['t1', 't2', 't3', 't4']) {
      ask(`/list?${name}`, { headers: token })
      await pause(3)
    }
    await askMany(4, '/list', 'a')
    await expect.poll(() => begun).toEqual(['t1', 't2', 'a1', 'a2', 'a3', 'a4'])
    finish('a1')
    await askMany(1, '/list', 'b')
    await expect.poll(() => begun.at(-1)).toBe('b1')
    finish('t2')
    await expect.poll(() => begun.at(-1)).toBe('t3')
  })

  it('of many rows take two places at most', async () => {
    ask('/many?rows=100000', { headers: token })
    await askMany(4, '/list', 'a')
    await expect.poll(() => begun.length).toBe(5)
  })

  it('wait in a queue of their own: a full one refuses none of their owner', { tags: 'slow' }, async () => {
    const all = []
    for (let sent = 1; sent <= 102; sent += 1) {
      all.push(ask(`/list?t${sent}`, { headers: token }))
      await pause(3)
    }
    await expect.poll(() => begun.length).toBe(2)
    expect(await ask('/list?t103', { headers: token }).outcome).toMatchObject({ status: 429 })
    ask('/list?a1')
    await expect.poll(() => begun.at(-1)).toBe('a1')
  })
})
