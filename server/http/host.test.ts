import dns from 'node:dns'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, type Mock, onTestFinished, vi } from 'vitest'
import { everyCall } from '#server/test/calls.ts'
import { startTestApp } from '#server/test/test-app.ts'
import { freePort } from '../../reliability/test/nginx.ts'

const SENTENCE =
  'Sourcebook does not know this address. If it is right, the operator sets PUBLIC_URL to it, or names its host in ALLOWED_HOSTS.'

/** Sends a `GET` with exactly these lines to a local port. Returns the status and the body. */
function send(port: number, path: string, lines: string[], version = '1.1') {
  return new Promise<[status: number, body: string]>((resolve, reject) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.setTimeout(10_000, () => socket.destroy(new Error('There was no response')))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve([Number(text.slice(9, 12)), text.split('\r\n\r\n')[1] ?? '']))
    socket.write([`GET ${path} HTTP/${version}`, ...lines, 'connection: close', '', ''].join('\r\n'))
  })
}

async function start(settings: Record<string, string> = {}) {
  const test = await startTestApp(settings)
  onTestFinished(() => test.close())
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  return { test, port: (test.app.server.address() as AddressInfo).port }
}

const LOCAL = ['localhost', 'LocalHost:3000', 'localhost.:3000', 'sourcebook.localhost:3000']
const ADDRESSES = ['127.0.0.1:3000', '192.168.1.20', '[::1]:3000', '[2001:db8::1]']

const KNOWN: [settings: Record<string, string>, hosts: string[]][] = [
  [{}, [...LOCAL, ...ADDRESSES]],
  [{ HOST: 'office-pc' }, ['office-pc:3000', 'localhost']],
  [{ PUBLIC_URL: 'http://Sourcebook.example.edu' }, ['sourcebook.example.edu', 'sourcebook.example.edu.:80', '[::1]']],
  [{ ALLOWED_HOSTS: 'sourcebook, Inside.example.edu' }, ['sourcebook:3000', 'inside.example.edu', 'localhost']],
]

const UNKNOWN: [settings: Record<string, string>, requests: string[][]][] = [
  [
    {},
    [
      ['host: evil.example'],
      ['host: evil.example:3000'],
      ['host: localhost.evil.example'],
      ['host: notlocalhost'],
      ['host: 127.0.0.1.evil.example'],
      ['host: localhost@evil.example'],
      ['host: localhost/evil.example'],
      ['host: localhost:3000:3000'],
      ['host: localhost, evil.example'],
      ['host: '],
      [],
      ['host: evil.example', 'x-forwarded-host: localhost'],
      ['host: localhost', 'host: localhost'],
      ['host: localhost', 'Host: evil.example'],
    ],
  ],
  [{ HOST: '0.0.0.0', UNVERIFIED_ADDRESSES: 'allow' }, [['host: office-pc']]],
  [{ PUBLIC_URL: 'http://sourcebook.test' }, [['host: evil.sourcebook.test']]],
  [{ ALLOWED_HOSTS: 'sourcebook' }, [['host: sourcebook.evil.example']]],
  [
    { TRUST_PROXY: 'loopback' },
    [
      ['host: localhost', 'x-forwarded-host: evil.example'],
      ['host: localhost', 'x-forwarded-host: localhost, evil.example'],
    ],
  ],
]

describe('A request', () => {
  it.each(KNOWN)('is served where the settings %j know its host', { tags: 'slow' }, async (settings, hosts) => {
    const { port } = await start(settings)
    for (const host of hosts) expect((await send(port, '/api/auth/me', [`host: ${host}`]))[0], host).toBe(401)
  })

  it.each(UNKNOWN)(
    'is 400 with a sentence that names PUBLIC_URL where the settings %j do not',
    { tags: 'slow' },
    async (settings, requests) => {
      const { port } = await start(settings)
      for (const lines of requests) {
        expect([lines, ...(await send(port, '/api/auth/me', lines))]).toEqual([
          lines,
          400,
          JSON.stringify({ error: SENTENCE }),
        ])
      }
    },
  )

  it('has the host that a trusted proxy has forwarded', { tags: 'slow' }, async () => {
    const { port } = await start({ TRUST_PROXY: 'loopback', PUBLIC_URL: 'http://sourcebook.test' })
    const lines = ['host: upstream', 'x-forwarded-host: sourcebook.test']
    expect((await send(port, '/api/auth/me', lines))[0]).toBe(401)
  })

  it('is refused for another host whatever it asks for: every call, the page, a file, what is not there', {
    tags: 'slow',
  }, async () => {
    const { test } = await start()
    const calls = (await everyCall(test.visitor())).map(({ method, path }) => [method, path] as const)
    const others = ['/', '/founders', '/favicon.ico', '/nothing.js', '/api/nothing', '/.env']
    expect(calls.length).toBeGreaterThan(100)
    for (const [method, url] of [...calls, ...others.map((path) => ['GET', path] as const)]) {
      const { statusCode, body } = await test.app.inject({ method, url, headers: { host: 'evil.example' } })
      expect([method, url, statusCode, JSON.parse(body)]).toEqual([method, url, 400, { error: SENTENCE }])
    }
  })

  it('is refused for another host before its body is read', { tags: 'slow' }, async () => {
    const { test } = await start()
    const headers = { host: 'evil.example', 'content-type': 'text/plain' }
    const answer = await test.app.inject({ method: 'POST', url: '/api/founders', headers, payload: '{' })
    expect(answer.json()).toEqual({ error: SENTENCE })
  })
})

describe('GET /healthz and GET /readyz', () => {
  it.each(['/healthz', '/readyz'])('take any host and none: %s', { tags: 'slow' }, async (path) => {
    const { port } = await start()
    expect((await send(port, path, ['host: evil.example']))[0]).toBe(200)
    expect((await send(port, path, []))[0]).toBe(200)
    expect((await send(port, path, [], '1.0'))[0]).toBe(200)
  })
})

describe('The metrics', () => {
  it.each([
    ['host: localhost:9100', {}, 200],
    ['host: 127.0.0.1', {}, 200],
    ['host: metrics-host', { ALLOWED_HOSTS: 'metrics-host' }, 200],
    ['host: LOCALHOST', { METRICS_HOST: 'localhost' }, 200],
    ['host: evil.example', {}, 400],
    ['host: evil.example', { METRICS_HOST: 'localhost' }, 400],
    ['host: localhost\r\nhost: evil.example', {}, 400],
  ])('with "%s" and the settings %j are %i', { tags: 'slow' }, async (line, settings, expected) => {
    const port = await freePort()
    await start({ METRICS_PORT: String(port), ...settings })
    const [status, body] = await send(port, '/metrics', [line])
    expect(status).toBe(expected)
    if (expected === 400) expect(body).toContain(SENTENCE)
  })

  it('also take the name of METRICS_HOST, which the product does not', { tags: 'slow' }, async () => {
    const lookup = vi.spyOn(dns, 'lookup') as unknown as Mock
    lookup.mockImplementation((_name, _options, found) => found(null, '127.0.0.1', 4))
    const metricsPort = await freePort()
    const { port } = await start({ METRICS_PORT: String(metricsPort), METRICS_HOST: 'metrics.internal' })
    lookup.mockRestore()
    expect((await send(metricsPort, '/metrics', ['host: metrics.internal:9100']))[0]).toBe(200)
    expect((await send(port, '/api/auth/me', ['host: metrics.internal']))[0]).toBe(400)
  })
})
