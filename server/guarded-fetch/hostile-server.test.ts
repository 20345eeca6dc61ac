import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AddressRefused } from './address-refused.ts'
import { LIMITS } from './guarded-client.ts'
import { type Internet, openInternet } from './test/internet.ts'

const SITE = '93.184.216.34'
const MB = 1024 * 1024
const ZEROS = Buffer.alloc(MB)
/** 64 KB of the same byte, so that a server in this process needs little memory. */
const many = (part: Buffer | string) => Buffer.concat(Array(Math.ceil(65_536 / part.length)).fill(Buffer.from(part)))
/** Bodies of 64 MB, so small when compressed that only their decoded size can be too long. */
const BOMBS = {
  gzip: gzipSync(Buffer.alloc(64 * MB)),
  deflate: deflateSync(Buffer.alloc(64 * MB)),
  br: brotliCompressSync(Buffer.alloc(64 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}

let internet: Internet
beforeEach(async () => {
  internet = await openInternet()
  internet.name('hostile.example', SITE)
})
afterEach(async () => {
  await expect.poll(internet.openSockets).toBe(0)
  await internet.close()
})

const get = (limits: Partial<typeof LIMITS> = {}, maxBytes?: number) =>
  internet
    .client({ limits: { ...LIMITS, ...limits } })
    .get('http://hostile.example/', maxBytes === undefined ? {} : { maxBytes })
    .catch((error: unknown) => error)

/** Reads the site, and returns the cost for the process. */
async function getMeasured(limits?: Partial<typeof LIMITS>) {
  const rssBefore = process.memoryUsage.rss()
  let rssMost = rssBefore
  const sampling = setInterval(() => {
    rssMost = Math.max(rssMost, process.memoryUsage.rss())
  }, 5)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = performance.now()
  const answer = await get(limits)
  const ms = performance.now() - before
  delay.disable()
  clearInterval(sampling)
  return { answer, ms, stallMs: delay.max / 1e6, grownMb: (rssMost - rssBefore) / MB }
}

async function expectRefusedCheaply(withinMs: number, limits?: Partial<typeof LIMITS>) {
  const { answer, ms, stallMs, grownMb } = await getMeasured(limits)
  expect(answer).toBeInstanceOf(AddressRefused)
  expect(ms).toBeLessThan(withinMs)
  expect(stallMs).toBeLessThan(200)
  expect(grownMb).toBeLessThan(100)
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'

/** Sends these bytes, and then repeats `again` for as long as the client reads. */
const flood = (first: string, again: Buffer) =>
  internet.serveRaw(SITE, 80, (socket: Socket) => {
    const pour = () => {
      while (socket.writable && socket.write(again));
    }
    socket.once('data', () => {
      socket.write(first)
      pour()
    })
    socket.on('drain', pour)
  })

const answerWith = (headers: Record<string, string | string[]>, body: Buffer | string = '') =>
  internet.serve(SITE, (_request, response) => response.writeHead(200, headers).end(body))

// A busy machine may stall once, but not every time.
describe('A hostile server (SR-9)', { retry: 2 }, () => {
  it.each([
    ['that says how long it is', 'content-length: 10000000000\r\n', ZEROS],
    ['that ends never', '', ZEROS],
    [
      'in chunks',
      'transfer-encoding: chunked\r\n',
      Buffer.concat([Buffer.from('100000\r\n'), ZEROS, Buffer.from('\r\n')]),
    ],
    ['of gzip that decodes to nothing', 'content-encoding: gzip\r\n', many(gzipSync(''))],
    ['of gzip without end', 'content-encoding: gzip\r\n', gzipSync(ZEROS)],
  ])('is cut off at 2 MB of a body %s', async (_what, headers, again) => {
    await flood(`${HEAD}${headers}\r\n`, again)
    await expectRefusedCheaply(2_000)
  })

  it.each([
    ['gzip', BOMBS.gzip],
    ['deflate', BOMBS.deflate],
    ['br', BOMBS.br],
  ])('is cut off at 2 MB of decoded data from a bomb of %s', async (encoding, body) => {
    expect(body.length).toBeLessThan(LIMITS.bodyBytes)
    await answerWith({ 'content-encoding': encoding }, body)
    await expectRefusedCheaply(2_000)
  })

  it.each([
    ['in one line', { 'content-encoding': Array(1000).fill('gzip').join(', ') }],
    ['in many lines', { 'content-encoding': Array(500).fill('gzip') }],
    ['of two', { 'content-encoding': 'gzip, gzip' }],
    ['of two kinds', { 'content-encoding': 'br, gzip' }],
    ['of no known kind', { 'content-encoding': 'zstd' }],
  ])('is cut off when it encodes repeatedly, %s', async (_what, headers) => {
    await answerWith(headers, gzipSync(gzipSync('hello')))
    await expectRefusedCheaply(500)
  })

  it.each([
    ['1 MB in one header', `${HEAD}x: `, many('a')],
    ['1 MB in many headers', HEAD, many('x: a\r\n')],
    ['provisional responses without end', '', many('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n')],
    ['an extension of a chunk without end', `${HEAD}transfer-encoding: chunked\r\n\r\n5;`, many('a')],
  ])('is cut off at %s', { tags: 'slow' }, async (_what, first, again) => {
    await flood(first, again)
    await expectRefusedCheaply(2_000, { totalMs: 1_000 })
  })

  it('can send 15 KB of headers, and is cut off at 17', async () => {
    await answerWith({ x: 'a'.repeat(15 * 1024) }, 'hello')
    expect(await get()).toMatchObject({ status: 200 })
    await answerWith({ x: 'a'.repeat(17 * 1024) }, 'hello')
    await expectRefusedCheaply(500)
  })

  it('is cut off when it redirects, whatever else it sends', async () => {
    await flood('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n', ZEROS)
    await expectRefusedCheaply(500)
    await expect.poll(internet.openSockets, { timeout: 500 }).toBe(0)
  })

  it('is cut off at the total time limit, also when it sends bytes steadily', { tags: 'slow' }, async () => {
    await internet.serveRaw(SITE, 80, (socket) => {
      socket.write(`${HEAD}\r\n`)
      const dripping = setInterval(() => socket.write('a'), 1_000)
      socket.on('close', () => clearInterval(dripping))
    })
    await expectRefusedCheaply(2_000, { totalMs: 1_500 })
  })

  it('is cut off at the total time limit when it sends headers slowly', async () => {
    await internet.serveRaw(SITE, 80, (socket) => {
      socket.write(`${HEAD}x: `)
      const dripping = setInterval(() => socket.write('a'), 100)
      socket.on('close', () => clearInterval(dripping))
    })
    await expectRefusedCheaply(1_000, { totalMs: 500 })
  })

  it.each([
    ['closes immediately', ''],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['cuts its body short', `${HEAD}content-length: 10\r\n\r\nhello`],
    ['cuts its chunks short', `${HEAD}transfer-encoding: chunked\r\n\r\n5\r\nhel`],
    ['says two lengths', `${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`],
    ['cuts gzip short', `${HEAD}content-encoding: gzip\r\n\r\n\x1f`],
    ['sends no gzip', `${HEAD}content-encoding: gzip\r\n\r\nhello`],
    ['changes to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'],
  ])('that %s is refused', async (_what, answer) => {
    await internet.serveRaw(SITE, 80, (socket) => socket.once('data', () => socket.end(answer, 'latin1')))
    await expectRefusedCheaply(1_000)
  })

  it('is cut off at 5 MB of nested elements', async () => {
    await answerWith({ 'content-type': 'text/html' }, '<div>'.repeat(1_000_000))
    await expectRefusedCheaply(2_000)
  })

  it.each([
    ['a page that moves on by itself', '<meta http-equiv=refresh content="0;url=http://127.0.0.1/">'],
    ['a file of entities', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['300,000 nested elements', '<div>'.repeat(300_000)],
  ])('gets one request for %s, which the client treats as bytes', { tags: 'slow' }, async (_what, page) => {
    let requests = 0
    await internet.serve(SITE, (_request, response) => {
      requests += 1
      response.end(page)
    })
    expect(await get()).toMatchObject({ body: Buffer.from(page) })
    expect(requests).toBe(1)
    expect(internet.canary().hits).toBe(0)
  })
})

describe('A body', () => {
  it.each([
    ['as it is', {}, (body: Buffer) => body],
    ['as it is, said so', { 'content-encoding': 'identity' }, (body: Buffer) => body],
    ['in gzip', { 'content-encoding': 'GZip' }, gzipSync],
    ['in gzip, by its old name', { 'content-encoding': 'x-gzip' }, gzipSync],
    ['in deflate', { 'content-encoding': 'deflate' }, deflateSync],
    ['in brotli', { 'content-encoding': 'br' }, brotliCompressSync],
  ])('can have the length of the limit and not more, %s', async (_what, headers: Record<string, string>, encode) => {
    await answerWith(headers, encode(Buffer.alloc(1000, 'a')))
    expect(await get({}, 1000)).toMatchObject({ body: Buffer.alloc(1000, 'a') })
    expect(await get({}, 999)).toBeInstanceOf(AddressRefused)
  })

  it('can be 2 MB long', { tags: 'slow' }, async () => {
    await answerWith({}, Buffer.alloc(2 * MB, 'a'))
    expect(await get()).toMatchObject({ body: Buffer.alloc(2 * MB, 'a') })
  })
})
