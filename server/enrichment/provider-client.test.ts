import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { type ServedReply, startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { ask, askRecord, failureOf, readRecord, retryAfter, waitOf } from './provider-client.ts'

async function served(reply: ServedReply) {
  const server = await startProviderServer()
  onTestFinished(server.close)
  server.on(() => true, reply)
  return server
}

const question = (baseUrl: string) => ({ baseUrl, path: '/a', signal: AbortSignal.timeout(2000) })

describe('A request to a provider', () => {
  it('appends the path to the base URL, and leaves out undefined parameters', async () => {
    const server = await served({ json: { a: 1 } })
    const reply = await ask({ ...question(`${server.url}/v1//`), query: { b: 'c d&e', f: undefined } })
    expect(reply).toMatchObject({ kind: 'reply', status: 200, json: { a: 1 }, text: '{"a":1}' })
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/v1/a', query: { b: 'c d&e' } }])
  })

  it('sends the user agent, and accepts JSON', async () => {
    const server = await served({ json: {} })
    await ask({ ...question(server.url), headers: { 'x-key': 'k' } })
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^Sourcebook/),
      'x-key': 'k',
    })
  })

  it('reads at most 2 MB, also when compressed', async () => {
    const body = gzipSync(JSON.stringify('x'.repeat(3_000_000)))
    const server = await served({ body, headers: { 'content-encoding': 'gzip' } })
    expect(await ask(question(server.url))).toMatchObject({ kind: 'failed', reason: 'unavailable' })
  })

  it('returns unavailable where no server listens, and for a key that is invalid in a header', async () => {
    const server = await served({ json: {} })
    const failed = {
      kind: 'failed',
      reason: 'unavailable',
      isRetryable: true,
      detail: 'the connection failed, or the answer could not be read',
    }
    expect(await ask({ ...question(server.url), headers: { 'x-key': 'a\nb' } })).toEqual(failed)
    expect(await ask(question('http://127.0.0.1:9'))).toEqual(failed)
  })

  it('ends with the signal, also with an aborted one', async () => {
    const server = await served({ json: {} })
    expect(await ask({ ...question(server.url), signal: AbortSignal.abort() })).toMatchObject({
      reason: 'unavailable',
      detail: 'it did not answer in time',
    })
    expect(server.requests).toEqual([])
  })

  it("applies a provider's own rules before the shared rules", async () => {
    const server = await served({ status: 404, body: 'soon' })
    const pending = { kind: 'failed', reason: 'pending', isRetryable: true } as const
    const asked = (word: string) =>
      askRecord(question(server.url), z.object({}), ({ text }) => (text === word ? pending : undefined))
    expect(await asked('soon')).toEqual(pending)
    expect(await asked('later')).toEqual({ kind: 'not-found' })
  })
})

const reply = (status: number, headers: Record<string, string> = {}, json: unknown = {}) => ({
  kind: 'reply' as const,
  status,
  headers: new Headers(headers),
  text: '',
  json,
})

describe('A status', () => {
  it.each([
    [400, 'bad_request', false],
    [401, 'auth', false],
    [402, 'no_credits', false],
    [403, 'auth', false],
    [422, 'bad_request', false],
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [503, 'unavailable', true],
  ])('%i is %s', (status, reason, isRetryable) => {
    expect(failureOf(reply(status))).toMatchObject({ kind: 'failed', reason, isRetryable })
  })

  it('200 is not a failure', () => {
    expect(failureOf(reply(200))).toBeUndefined()
  })

  it('invalid JSON and JSON of another shape are unavailable', () => {
    const Schema = z.object({ a: z.number() })
    expect(readRecord(reply(200, {}, { a: 1, b: 2 }), Schema)).toEqual({ kind: 'found', findings: { a: 1 } })
    expect(readRecord({ ...reply(200), json: undefined }, Schema)).toMatchObject({ detail: 'its answer was not JSON' })
    expect(readRecord(reply(200, {}, [1]), Schema)).toMatchObject({ detail: 'its answer had an unknown shape' })
  })
})

describe('The wait before a retry', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['30', 30],
    [' 5 ', 5],
    ['0', 1],
    ['Wed, 01 Jan 2020 00:00:10 GMT', 10],
    ['Tue, 31 Dec 2019 00:00:00 GMT', 1],
    ['999999999999', 86_400],
    ['soon', undefined],
    ['-', undefined],
    ['', undefined],
  ])('reads Retry-After %j as %s seconds', (header, seconds) => {
    vi.useFakeTimers({ now: Date.UTC(2020, 0, 1) })
    expect(retryAfter(new Headers({ 'retry-after': header })).retryAfterSeconds).toBe(seconds)
  })

  it('is undefined where the provider gives none', () => {
    expect(retryAfter(new Headers())).toEqual({})
    expect(waitOf(Number.NaN)).toEqual({})
  })
})
