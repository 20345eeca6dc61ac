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

describe('Asking a provider', () => {
  it('joins the path to that of the base URL, and leaves out what is undefined', async () => {
    const server = await served({ json: { a: 1 } })
    const reply = await ask({ ...question(`${server.url}/v1//`), query: { b: 'c d&e', f: undefined } })
    expect(reply).toMatchObject({ kind: 'reply', status: 200, json: { a: 1 }, text: '{"a":1}' })
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/v1/a', query: { b: 'c d&e' } }])
  })

  it('says who asks, and takes JSON', async () => {
    const server = await served({ json: {} })
    await ask({ ...question(server.url), headers: { 'x-key': 'k' } })
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^Sourcebook/),
      'x-key': 'k',
    })
  })

  it('takes no more than 2 MB, however small it travels', async () => {
    const body = gzipSync(JSON.stringify('x'.repeat(3_000_000)))
    const server = await served({ body, headers: { 'content-encoding': 'gzip' } })
    expect(await ask(question(server.url))).toMatchObject({ kind: 'failed', reason: 'unavailable' })
  })

  it('answers unavailable where no server listens, and for a key that no header can hold', async () => {
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

  it('ends with the signal, also one that is over already', async () => {
    const server = await served({ json: {} })
    expect(await ask({ ...question(server.url), signal: AbortSignal.abort() })).toMatchObject({
      reason: 'unavailable',
      detail: 'it did not answer in time',
    })
    expect(server.requests).toEqual([])
  })

  it('lets a provider say what a reply means before the rules that all share', async () => {
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

describe('What a status means', () => {
  it.each([
    [400, 'bad_request', false],
    [401, 'auth', false],
    [402, 'no_credits', false],
    [403, 'auth', false],
    [422, 'bad_request', false],
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [503, 'unavailable', true],
  ])('takes %i for %s', (status, reason, isRetryable) => {
    expect(failureOf(reply(status))).toMatchObject({ kind: 'failed', reason, isRetryable })
  })

  it('takes 200 for no failure', () => {
    expect(failureOf(reply(200))).toBeUndefined()
  })

  it('takes what is no JSON, and JSON of another shape, for unavailable', () => {
    const Schema = z.object({ a: z.number() })
    expect(readRecord(reply(200, {}, { a: 1, b: 2 }), Schema)).toEqual({ kind: 'found', findings: { a: 1 } })
    expect(readRecord({ ...reply(200), json: undefined }, Schema)).toMatchObject({ detail: 'its answer was not JSON' })
    expect(readRecord(reply(200, {}, [1]), Schema)).toMatchObject({ detail: 'its answer had an unknown shape' })
  })
})

describe('How long to wait', () => {
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

  it('says nothing where the provider says nothing', () => {
    expect(retryAfter(new Headers())).toEqual({})
    expect(waitOf(Number.NaN)).toEqual({})
  })
})
