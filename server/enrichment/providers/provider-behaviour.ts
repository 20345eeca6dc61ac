import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { CompanyFindings } from '#contract/company.ts'
import { FounderEnrichment } from '#contract/founder.ts'
import type { FailureReason, FounderFindings, Outcome, ProviderDefinition } from '#server/enrichment/provider.ts'
import {
  blank,
  type Json,
  leafPaths,
  replaceLeaves,
  similarTo,
  textsOf,
} from '#server/enrichment/providers/test/odd-records.ts'
import { KEY, openProvider } from '#server/enrichment/providers/test/open-provider.ts'
import { type ProviderServer, type ServedReply, startProviderServer } from '#server/enrichment/test/provider-server.ts'

// The behaviour of every provider with a key. The test of each provider calls it.

type Question<Findings> = {
  /** The request for a subject with every key: `GET /path`, and its exact query. */
  asks: string
  query?: Record<string, string>
  answer: Json
  findings: Findings
  /** Maps a response to findings, without HTTP. */
  read: (answer: unknown) => Findings
}

type Refusal = ServedReply & { title: string; reason: FailureReason; isRetryable: boolean; retryAfterSeconds?: number }

type ProviderFacts = {
  definition: ProviderDefinition
  keyHeader: string
  founder: Question<FounderFindings>
  company: Question<CompanyFindings>
  /** Responses other than 404 for an empty result. */
  misses?: (ServedReply & { title: string })[]
  /** The refusals in its documentation. */
  refusals: Refusal[]
}

export function behavesAsProvider(facts: ProviderFacts) {
  const { definition } = facts

  describe('A founder', () =>
    answersAsOne(facts, facts.founder, z.strictObject(FounderEnrichment.shape), async (reply, patienceMs) => {
      const { server, askFounder } = await openProvider(definition)
      server.on(() => true, reply)
      return { server, outcome: (await askFounder({}, patienceMs)) as Outcome<FounderFindings> }
    }))

  describe('A company', () =>
    answersAsOne(facts, facts.company, z.strictObject(CompanyFindings.shape), async (reply, patienceMs) => {
      const { server, askCompany } = await openProvider(definition)
      server.on(() => true, reply)
      return { server, outcome: (await askCompany({}, patienceMs)) as Outcome<CompanyFindings> }
    }))
}

type Ask<Findings> = (
  reply: ServedReply,
  patienceMs?: number,
) => Promise<{ server: ProviderServer; outcome: Outcome<Findings> }>

function answersAsOne<Findings extends object>(
  { definition, keyHeader, misses = [], refusals }: ProviderFacts,
  { asks, query = {}, answer, findings, read }: Question<Findings>,
  Schema: z.ZodType,
  ask: Ask<Findings>,
) {
  it('is looked up in one request with the known keys, with the documented findings', async () => {
    const { server, outcome } = await ask({ json: answer })
    expect(outcome).toEqual({ kind: 'found', findings })
    expect(Schema.safeParse(findings).success).toBe(true)
    expect(server.requests).toHaveLength(1)
    const [method, path] = asks.split(' ')
    expect(server.requests[0]).toMatchObject({ method, path: `/base${path}`, body: '' })
    expect(server.requests[0]?.query).toEqual(query)
  })

  it(`is looked up with the key in ${keyHeader} and nowhere else`, async () => {
    const { server } = await ask({ json: answer })
    const [request] = server.requests
    expect(request?.headers[keyHeader]).toBe(KEY)
    expect(JSON.stringify(request).split(KEY)).toHaveLength(2)
    expect(definition.needsKey).toBe(true)
  })

  it.each([
    { title: '404', status: 404, json: {} },
    { title: 'a record without a single field', json: blank(answer) },
    ...misses,
  ])('is not found for $title', async ({ title: _, ...reply }) => {
    expect((await ask(reply)).outcome).toEqual({ kind: 'not-found' })
  })

  it.each([
    ...refusals,
    { title: '401', status: 401, body: 'Invalid access credentials.', reason: 'auth', isRetryable: false },
    { title: '403', status: 403, json: {}, reason: 'auth', isRetryable: false },
    { title: '400', status: 400, json: {}, reason: 'bad_request', isRetryable: false },
    { title: '422', status: 422, json: { detail: [] }, reason: 'bad_request', isRetryable: false },
    { title: '429', status: 429, json: {}, reason: 'rate_limited', isRetryable: true },
    { title: '500', status: 500, body: '<h1>Oops</h1>', reason: 'unavailable', isRetryable: true },
    {
      title: '429 with Retry-After',
      status: 429,
      headers: { 'retry-after': '7' },
      reason: 'rate_limited',
      isRetryable: true,
      retryAfterSeconds: 7,
    },
    {
      title: '503 with Retry-After',
      status: 503,
      headers: { 'retry-after': '9' },
      reason: 'unavailable',
      isRetryable: true,
      retryAfterSeconds: 9,
    },
  ] satisfies Refusal[] as Refusal[])(
    'fails with $reason for $title',
    async ({ title: _, reason, isRetryable, retryAfterSeconds, ...reply }) => {
      const { outcome } = await ask(reply)
      expect(outcome).toEqual({ kind: 'failed', reason, isRetryable, retryAfterSeconds, detail: expect.any(String) })
      expect(JSON.stringify(outcome)).not.toMatch(/key-Secret|jane|doe|orchard/i)
    },
  )

  it.each([
    ['half an answer', { body: JSON.stringify(answer).slice(0, -9) }],
    ['a page instead of JSON', { body: '<!doctype html><title>Hello</title>' }],
    ['an empty body', { body: '' }],
    ['JSON that is no record', { json: [answer] }],
    ['an answer that is cut short', { headers: { 'content-length': '100000' }, json: answer, isCut: true }],
    ['a connection that is reset', { isReset: true }],
  ])('is unavailable for %s', async (_, reply) => {
    const { outcome } = await ask(reply, 500)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unavailable', isRetryable: true })
  })

  it.each([
    ['nothing', { delayMs: 60_000, json: answer }],
    ['one byte at a time', { dripMs: 20, json: answer }],
  ])('is aborted within the time limit for %s', async (_, reply) => {
    const start = performance.now()
    const { outcome } = await ask(reply, 150)
    expect(performance.now() - start).toBeLessThan(3000)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unavailable', isRetryable: true })
  })

  it('fails on a response of gigabytes, and closes the connection', async () => {
    const { server, outcome } = await ask({ isEndless: true, body: '{"data":"' })
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unavailable' })
    await expect.poll(() => server.requests[0]?.isOver).toBe(true)
    expect(server.requests[0]?.sentBytes).toBeLessThan(64 * 1024 * 1024)
  })

  it('is not looked up at the target of a redirect', async () => {
    const canary = await startProviderServer()
    onTestFinished(canary.close)
    canary.on(() => true, { json: answer })
    const { outcome } = await ask({ status: 307, headers: { location: `${canary.url}/base${asks.split(' ')[1]}` } })
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'unavailable' })
    expect(canary.requests).toEqual([])
  })

  it('is not found in a record with the wrong type in every field', async () => {
    expect((await ask({ json: replaceLeaves(answer, () => [{ a: [] }]) as Json })).outcome).toEqual({
      kind: 'not-found',
    })
  })

  it('loses only the invalid field of a record', () => {
    for (const spoilt of leafPaths(answer)) {
      const values = read(replaceLeaves(answer, (value, path) => (path === spoilt ? [{ a: 1 }] : value)))
      const lost = Object.entries(findings).filter(([name, value]) => !isEqual(values[name as keyof Findings], value))
      // A title and a company depend on the flag of their job.
      expect(lost.length, spoilt).toBeLessThanOrEqual(2)
    }
  })

  it('gets only clean values that the contract accepts, from any record', () => {
    fc.assert(
      fc.property(similarTo(answer), (anything) => {
        const values = read(anything)
        expect(Schema.safeParse(values).error).toBeUndefined()
        for (const text of textsOf(values)) {
          expect(text).toBe(text.trim())
          expect(text).not.toBe('')
          expect(text).not.toMatch(/(?!\n)\p{Cc}|\p{Cs}/u)
          expect([...text].length).toBeLessThanOrEqual(10_000)
        }
      }),
      { numRuns: 100 },
    )
  })
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
