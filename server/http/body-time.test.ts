import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

const LIMITS = { headersMs: 1_000, requestMs: 700, quietMs: 10_000, checkEveryMs: 100 }

let test: TestApp
let port: number
beforeAll(async () => {
  test = await startTestApp({}, undefined, LIMITS)
  port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => test.close())

/** Sends a head and, slowly, the body of a file. Returns the response and its duration. */
function send(head: string[], body: string, pauseMs: number): Promise<{ answer: string; ms: number }> {
  const began = Date.now()
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `${[...head, 'host: localhost', `content-length: ${body.length}`, 'connection: close'].join('\r\n')}\r\n\r\n`,
      )
      socket.write(body.slice(0, 5))
      setTimeout(() => socket.write(body.slice(5)), pauseMs)
    })
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ answer, ms: Date.now() - began }))
  })
}

const FILE = 'Name\nUma Umber\n'
const head = (headers: Record<string, string>) => [
  'POST /api/imports?name=people.csv HTTP/1.1',
  'content-type: application/octet-stream',
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
]

describe('The body of an upload', () => {
  it('has the time limit of its call, once the caller is known', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '' }
    const { answer, ms } = await send(head(headers), FILE, 1_500)
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(ms).toBeGreaterThan(1_400)
  })

  it('has the usual time limit for a stranger', async () => {
    const { answer } = await send(head({}), FILE, 5_000)
    expect(answer).toMatch(/^HTTP\/1\.1 (403|408) /)
  })
})

describe('Any other body', () => {
  it('that takes too long is 408', { tags: 'slow' }, async () => {
    const login = ['POST /api/auth/login HTTP/1.1', 'content-type: application/json']
    const { answer, ms } = await send(login, '{"email": "a@mit.edu"}', 5_000)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('{"error":"This request took too long to arrive. Try again."}')
    expect(ms).toBeLessThan(3_000)
  })
})
