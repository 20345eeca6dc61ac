import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { z } from 'zod'
import { readBody } from '#server/guarded-fetch/read-body.ts'
import { VERSION } from '#server/version.ts'
import { type Failed, notFound, type Outcome } from './provider.ts'

// Requests to providers over HTTP. The operator configures a provider's address, so this is not the guarded client.

/** More than any provider returns for one record. */
const ANSWER_MAX = 2 * 1024 * 1024
/** A provider's cooldown is at most a day, however long it asks for. */
const WAIT_MAX_SECONDS = 86_400
/** A missing network shows within this time, and so within the wait of the request. */
const CONNECT_WITHIN_MS = 2_000

/** The user agent. The rules of Wikidata and GitHub also require a contact of the operator. */
export const userAgent = (contact?: string): string =>
  `Sourcebook/${VERSION} (${contact === undefined ? '' : `${contact}; `}founder and company sourcing, self-hosted)`

export type Question = {
  baseUrl: string
  /** With its leading slash; appended to the path of the base URL. */
  path: string
  method?: 'GET' | 'POST'
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  signal: AbortSignal
}

/** The response, whatever its status. `json` is undefined when the body, `text`, is not JSON. */
export type Reply = { kind: 'reply'; status: number; headers: Headers; text: string; json: unknown }

/** The meaning of a response without a record. */
export type Miss = typeof notFound | Failed

/**
 * Requests one record. `meaningOf` maps responses where this provider differs from the rest. After that, 404 is
 * not-found, `failureOf` maps any other refusal, and the schema reads everything else.
 */
export async function askRecord<Schema extends z.ZodType>(
  question: Question,
  schema: Schema,
  meaningOf: (reply: Reply) => Miss | undefined = () => undefined,
): Promise<Outcome<z.output<Schema>>> {
  const reply = await ask(question)
  if (reply.kind === 'failed') return reply
  const miss = meaningOf(reply) ?? (reply.status === 404 ? notFound : failureOf(reply))
  return miss ?? readRecord(reply, schema)
}

/**
 * Sends a request, follows no redirect, and reads at most 2 MB. Never throws: a missing, truncated or oversized
 * response is a failure to retry. `detail` contains nothing of the URL or the headers.
 */
export async function ask({
  baseUrl,
  path,
  method = 'GET',
  query = {},
  headers,
  signal,
}: Question): Promise<Reply | Failed> {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  try {
    const response = await send(url, { method, signal, headers: { accept: 'application/json', ...headers } })
    const status = response.statusCode ?? 0
    const text = (await readBody(response, ANSWER_MAX)).toString('utf8')
    signal.throwIfAborted()
    if (status >= 300 && status < 400) return unavailable('it answered with a redirect')
    const received = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
    return { kind: 'reply', status, headers: new Headers(received), text, json: parse(text) }
  } catch {
    return unavailable(
      signal.aborted ? 'it did not answer in time' : 'the connection failed, or the answer could not be read',
    )
  }
}

/**
 * Resolves with the head of the response. Gives up a connection that is not established in time, including DNS and TLS.
 */
async function send(url: URL, how: { method: string; headers: Record<string, string>; signal: AbortSignal }) {
  const { request } = url.protocol === 'https:' ? https : http
  const outgoing = request(url, {
    ...how,
    agent: false,
    headers: { 'user-agent': userAgent(), 'accept-encoding': 'gzip', ...how.headers },
  })
  const clock = setTimeout(() => outgoing.destroy(new Error('No connection in time')), CONNECT_WITHIN_MS)
  outgoing.once('socket', (socket) => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(clock))
  })
  try {
    const answered = once(outgoing, 'response')
    outgoing.end()
    const [response] = (await answered) as [IncomingMessage]
    return response
  } finally {
    clearTimeout(clock)
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const unavailable = (detail: string): Failed => ({
  kind: 'failed',
  reason: 'unavailable',
  isRetryable: true,
  detail,
})

/** Maps a status to a refusal, with the wait when the response names one. */
export const refused = ({ status, headers }: Reply, reason: Failed['reason'], isRetryable: boolean): Failed => ({
  kind: 'failed',
  reason,
  isRetryable,
  ...retryAfter(headers),
  detail: `it answered ${status}`,
})

/**
 * The failures that every provider reports by the same status: 401 and 403 `auth`, 402 `no_credits`, 429
 * `rate_limited`, any other from 400 to 499 `bad_request`, 500 and up `unavailable`. Undefined for 200 to 299. The
 * adapter handles 404 before this.
 */
export function failureOf(reply: Reply): Failed | undefined {
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return refused(reply, 'auth', false)
  if (status === 402) return refused(reply, 'no_credits', false)
  if (status === 429) return refused(reply, 'rate_limited', true)
  return status >= 500 ? refused(reply, 'unavailable', true) : refused(reply, 'bad_request', false)
}

/** `Retry-After` in seconds or as a date; undefined when it is missing or unreadable. */
export function retryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const text = headers.get('retry-after')?.trim() ?? ''
  return waitOf(/^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000)
}

/** Whole seconds to wait, from one to a day; undefined when the value is not a number. */
export const waitOf = (seconds: number): { retryAfterSeconds?: number } =>
  Number.isNaN(seconds) ? {} : { retryAfterSeconds: Math.min(Math.max(1, Math.ceil(seconds)), WAIT_MAX_SECONDS) }

/**
 * Parses the body with a schema. A failure when it is not JSON or has another shape. Schemas should be lenient per
 * field.
 */
export function readRecord<Schema extends z.ZodType>(reply: Reply, schema: Schema): Outcome<z.output<Schema>> {
  const read = schema.safeParse(reply.json)
  return read.success ? { kind: 'found', findings: read.data } : unreadable(reply)
}

const unreadable = ({ json }: Reply) =>
  unavailable(json === undefined ? 'its answer was not JSON' : 'its answer had an unknown shape')
