import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// Malformed requests, sent byte by byte over a real connection.

type RawAnswer = { status: number; text: string }

/** The time within which the server must respond or disconnect. */
const PATIENCE_MS = 10_000

/** Sends exactly these bytes to a local port, and returns everything received until the connection closed. */
function sendBytes(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`There was no end of the answer: ${text}`)))
    socket.on('data', (chunk) => {
      text += chunk
    })
    // A client that still sends when the server disconnects gets an error, after or in place of a response.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    )
    socket.on('close', finish)
    for (const part of parts) socket.write(part)
  })
}

/** Sends these bytes and then resets the connection. */
function sendAndLeave(port: number, part: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(part, () => socket.resetAndDestroy())
  })
}

let test: TestApp
let fellow: TestClient
let port: number
beforeAll(async () => {
  test = await startTestApp()
  test.app.get('/api/throws', () => {
    throw new Error('A secret of the inside: select * from accounts')
  })
  test.app.get('/api/rejects', async () => Promise.reject(new TypeError('/srv/sourcebook/server/founders/store.ts')))
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  port = (test.app.server.address() as AddressInfo).port
  const { email } = await makeAccount(test.db)
  fellow = test.visitor()
  await fellow.post('/api/auth/login', { email, password: PASSWORD })
})
afterAll(() => test.close())

const GOOD = JSON.stringify({ name: 'Raw', linkedIn: 'https://linkedin.com/in/raw', notes: 'n' })

/** The head of a valid request of this fellow, with these additional lines. */
const head = (line: string, ...more: string[]) => {
  const cookie = [...fellow.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const own = [`cookie: ${cookie}`, `x-xsrf-token: ${fellow.cookies.get('XSRF-TOKEN')}`]
  return [`${line} HTTP/1.1`, 'host: localhost', 'connection: close', ...own, ...more, '', ''].join('\r\n')
}

/** The head of a request without cookies. */
const bareHead = (line: string, ...more: string[]) =>
  [`${line} HTTP/1.1`, 'host: localhost', ...more, '', ''].join('\r\n')

const JSON_TYPE = 'content-type: application/json'
const post = (...more: string[]) => head('POST /api/founders', ...more)
const lengthOf = (body: string | Buffer) => `content-length: ${Buffer.byteLength(body)}`

const namesOf = async () => (await fellow.get('/api/founders')).body.map(({ name }: { name: string }) => name)

/** Expects that the process is alive and serves the next request. */
const expectAlive = async () => expect((await fellow.get('/api/auth/me')).status).toBe(200)

describe('The type of a body', () => {
  it.each([
    ['none', []],
    ['an empty one', ['content-type: ']],
    ['plain text', ['content-type: text/plain']],
    ['a form', ['content-type: application/x-www-form-urlencoded']],
    ['a form in parts', ['content-type: multipart/form-data; boundary=x']],
    ['JSON and more behind a tab', ['content-type: application/json\ta']],
    ['JSON and more behind a space', ['content-type: application/json x']],
    ['two types', ['content-type: text/plain, application/json']],
  ])('that is %s is refused, and nothing is written', async (_what, more) => {
    const before = await namesOf()
    const { status } = await sendBytes(port, post(...more, lengthOf(GOOD)), GOOD)
    expect([400, 415]).toContain(status)
    expect(await namesOf()).toEqual(before)
  })

  it.each(['content-type:  application/json', 'content-type:\tapplication/json', 'Content-Type: APPLICATION/json;x=y'])(
    'written as %j is JSON, and is validated',
    async (line) => {
      const body = '{"rating":99}'
      const answer = await sendBytes(port, post(line, lengthOf(body)), body)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('Rating must be a whole number from 1 to 10')
    },
  )

  it('is accepted without a body', async () => {
    const nowhere = 'POST /api/founders/01900000-0000-7000-8000-000000000000/refresh'
    expect((await sendBytes(port, head(nowhere, JSON_TYPE, 'content-length: 0'))).status).toBe(404)
  })
})

describe('A body', () => {
  it('that is compressed is not decompressed', { tags: 'slow' }, async () => {
    const bomb = gzipSync(Buffer.from(`{"name":"${'a'.repeat(50_000_000)}"}`))
    const answer = await sendBytes(port, post(JSON_TYPE, 'content-encoding: gzip', lengthOf(bomb)), bomb)
    expect([400, 413, 415]).toContain(answer.status)
    const small = gzipSync(GOOD)
    const { status } = await sendBytes(port, post(JSON_TYPE, 'content-encoding: gzip', lengthOf(small)), small)
    expect(status).toBe(400)
    await expectAlive()
  })

  it('with a declared length above the limit is refused before it is read', async () => {
    expect((await sendBytes(port, post(JSON_TYPE, 'content-length: 999999999'))).status).toBe(413)
  })

  it('that never ends is cut off at the limit', async () => {
    const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`
    const chunks = Array.from({ length: 200 }, () => chunk)
    const { status } = await sendBytes(port, post(JSON_TYPE, 'transfer-encoding: chunked'), ...chunks)
    expect([0, 413]).toContain(status)
    await expectAlive()
  })

  it.each([
    ['shorter than it is', ['content-length: 10']],
    ['two lengths', [lengthOf(GOOD), 'content-length: 5']],
    ['a length and pieces', [lengthOf(GOOD), 'transfer-encoding: chunked']],
    ['a length that is no number', ['content-length: +5']],
  ])('with a wrong length is 400, and cannot smuggle a second request: %s', async (_what, more) => {
    const before = await namesOf()
    const answer = await sendBytes(port, post(JSON_TYPE, ...more), GOOD)
    expect(answer.status).toBe(400)
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(await namesOf()).toEqual(before)
  })

  it.each([
    ['12,000 keys, as many as are taken', `{${Array.from({ length: 12_000 }, (_, index) => `"k${index}":1`).join()}}`],
    [
      'a number beyond all numbers',
      '{"name":"A","linkedIn":"https://linkedin.com/in/a","notes":"n","rating":1e999999}',
    ],
    ['a number that JSON does not have', '{"rating":NaN}'],
  ])('of %s is 400', async (_what, body) => {
    expect((await sendBytes(port, post(JSON_TYPE, lengthOf(body)), body)).status).toBe(400)
    await expectAlive()
  })

  it('with a duplicate field is validated and used with the last value', async () => {
    const twice = '{"rating":5,"rating":99}'
    expect((await sendBytes(port, post(JSON_TYPE, lengthOf(twice)), twice)).text).toContain('Rating must be')
  })
})

describe('A request', () => {
  it.each([
    ['by TRACE', 'TRACE /api/auth/me', []],
    ['by an unknown method', 'BREW /api/auth/me', []],
    ['by CONNECT', 'CONNECT localhost:22', []],
    ['with NUL in a header', 'GET /api/auth/me', ['x-a: a\0b']],
    ['with a line break in a header', 'GET /api/auth/me', ['x-a: a\rb']],
    ['with 20 KB of headers', 'GET /api/auth/me', [`x-a: ${'a'.repeat(20_000)}`]],
    ['with NUL in its path', 'GET /api/founders?search=\0', []],
    ['with a space in its path', 'GET /api/founders?search=a b', []],
  ])('%s is refused, and reveals nothing', async (_what, line, more) => {
    const answer = await sendBytes(port, head(line, ...more))
    expect(answer.status === 0 || (answer.status >= 400 && answer.status < 500)).toBe(true)
    expect(answer.text).not.toContain(fellow.cookies.get('XSRF-TOKEN'))
    await expectAlive()
  })

  it.each([
    ['an unknown method', bareHead('BREW /api/auth/me'), 400],
    ['bytes that are not HTTP', '\u0000\r\n\r\n', 400],
    ['two lengths', bareHead('POST /api/founders', 'content-length: 5', 'content-length: 6'), 400],
    ['20 KB of headers', bareHead('GET /api/auth/me', `x-a: ${'a'.repeat(20_000)}`), 431],
  ])('that Node cannot read is refused in the shape of every failure: %s', async (_what, bytes, status) => {
    const answer = await sendBytes(port, bytes)
    const [lines, body] = answer.text.split('\r\n\r\n')
    expect([answer.status, JSON.parse(body ?? '')]).toEqual([status, { error: expect.stringMatching(/^Th(is|e) /) }])
    expect(lines).toContain('Content-Type: application/json')
  })

  it('in which a handler throws or rejects is 500 with one sentence, and no internal details', async () => {
    for (const path of ['/api/throws', '/api/rejects']) {
      const { status, body, text } = await fellow.get(path)
      expect([status, body.error]).toEqual([500, 'Something went wrong on our side. Try again in a moment.'])
      expect(text).not.toMatch(/secret|select|store|TypeError|\.ts|node_modules| at /)
    }
    await expectAlive()
  })

  it('may be aborted at any byte', { tags: 'slow' }, async () => {
    const whole = post(JSON_TYPE, lengthOf(GOOD)) + GOOD
    const before = await namesOf()
    for (let from = 1; from < whole.length; from += 40) {
      const some = Array.from({ length: Math.min(40, whole.length - from) }, (_, index) => from + index)
      await Promise.all(some.map((length) => sendAndLeave(port, whole.slice(0, length))))
    }
    expect(await namesOf()).toEqual(before)
    await expectAlive()
  })

  it('may be aborted during the response, for lists and streams too', async () => {
    const requests = ['/api/founders?limit=500', '/api/events', '/', '/api/openapi.json', '/api/dashboard']
    const all = Array.from({ length: 60 }, (_, index) => requests[index % requests.length])
    await Promise.all(all.map((path) => sendAndLeave(port, head(`GET ${path}`))))
    await expectAlive()
  })
})
