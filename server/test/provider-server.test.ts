import { describe, expect, it, onTestFinished } from 'vitest'
import { startProviderServer } from './provider-server.ts'

async function openServer() {
  const server = await startProviderServer()
  onTestFinished(server.close)
  return server
}

describe('A server in the place of an outside one', () => {
  it('answers what it was told last, and 404 where it was told nothing', async () => {
    const server = await openServer()
    server.on('GET /a', { json: { n: 1 } })
    server.on(({ path }) => path === '/a', { status: 201, headers: { 'x-one': '1' }, json: { n: 2 } })
    const answer = await fetch(`${server.url}/a`)
    expect([answer.status, answer.headers.get('x-one'), await answer.json()]).toEqual([201, '1', { n: 2 }])
    expect((await fetch(`${server.url}/b`)).status).toBe(404)
  })

  it('remembers what it was asked, and answers by it', async () => {
    const server = await openServer()
    server.on('POST /a', ({ query, body }) => ({ json: { query, body } }))
    const answer = await fetch(`${server.url}/a?b=c`, { method: 'POST', body: 'hello', headers: { 'x-key': 'k' } })
    expect(await answer.json()).toEqual({ query: { b: 'c' }, body: 'hello' })
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/a', headers: { 'x-key': 'k' }, body: 'hello' }])
  })

  it('serves bytes as they are', async () => {
    const server = await openServer()
    const body = Buffer.from([0, 255, 1])
    server.on('GET /a', { body, headers: { 'content-type': 'image/png' } })
    expect(await (await fetch(`${server.url}/a`)).bytes()).toEqual(new Uint8Array(body))
  })

  it('waits, drips, breaks off and hangs up as it is told', async () => {
    const server = await openServer()
    server.on('GET /late', { delayMs: 30, json: {} })
    server.on('GET /drip', { dripMs: 5, body: 'abc' })
    server.on('GET /cut', { isCut: true, body: 'abc' })
    server.on('GET /reset', { isReset: true })
    const start = performance.now()
    await fetch(`${server.url}/late`)
    expect(performance.now() - start).toBeGreaterThan(25)
    expect(await (await fetch(`${server.url}/drip`)).text()).toBe('abc')
    await expect(fetch(`${server.url}/cut`).then((answer) => answer.text())).rejects.toThrow()
    await expect(fetch(`${server.url}/reset`)).rejects.toThrow()
  })

  it('ends an endless body when the client leaves', async () => {
    const server = await openServer()
    server.on('GET /', { isEndless: true, body: 'x' })
    const leaving = new AbortController()
    const answer = await fetch(server.url, { signal: leaving.signal })
    await answer.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => server.requests[0]?.isOver).toBe(true)
    expect(server.requests[0]?.sentBytes).toBeGreaterThan(0)
  })
})
