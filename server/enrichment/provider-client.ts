import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { z } from 'zod'
import { readBody } from '#server/guarded-fetch/read-body.ts'
import { VERSION } from '#server/version.ts'
import { type Failed, notFound, type Outcome } from './provider.ts'

// Asking a provider over HTTP. Where a provider lives is the operator's to say, so this is not the guarded client.

/** More than any provider's answer about one record. */
const ANSWER_MAX = 2 * 1024 * 1024
/** However long a provider asks to be left alone, it is asked again after a day. */
const WAIT_MAX_SECONDS = 86_400
/** No way to the network at all shows within this, and so within the patience of whoever asked for the run. */
const CONNECT_WITHIN_MS = 2_000

/** Who asks. The rules of Wikidata and GitHub want a way to reach whoever runs the product, too. */
export const userAgent = (contact?: string): string =>
  `Sourcebook/${VERSION} (${contact === undefined ? '' : `${contact}; `}founder and company sourcing, self-hosted)`

export type Question = {
  baseUrl: string
  /** With its leading slash; joined to whatever path the base URL has. */
  path: string
  method?: 'GET' | 'POST'
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  signal: AbortSignal
}

/** What came back, whatever its status. `json` is undefined when the body, `text`, is no JSON. */
export type Reply = { kind: 'reply'; status: number; headers: Headers; text: string; json: unknown }

/** What a reply means that holds no record. */
export type Miss = typeof notFound | Failed

/**
 * Asks for one record. `meaningOf` is what this provider means by a reply where it differs from the rest; then 404 is
 * not-found, any other refusal is told by `failureOf`, and what is left is read by the schema.
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
 * Asks, follows no redirect, and reads at most 2 MB of answer. Never throws: no answer, one that is cut short and one
 * that is too long are failures to be tried again. Nothing of the address or the headers gets into `detail`.
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

/** The head of the answer. A connection that is not made in time, with its name and its certificate, is given up. */
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

/** A refusal told by a status, with how long to wait if the reply says so. */
export const refused = ({ status, headers }: Reply, reason: Failed['reason'], isRetryable: boolean): Failed => ({
  kind: 'failed',
  reason,
  isRetryable,
  ...retryAfter(headers),
  detail: `it answered ${status}`,
})

/**
 * The failures that every provider tells by the same status: 401 and 403 `auth`, 402 `no_credits`, 429 `rate_limited`,
 * any other of 400 to 499 `bad_request`, 500 and up `unavailable`. Undefined for 200 to 299; 404 is for the adapter to
 * look at before this.
 */
export function failureOf(reply: Reply): Failed | undefined {
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return refused(reply, 'auth', false)
  if (status === 402) return refused(reply, 'no_credits', false)
  if (status === 429) return refused(reply, 'rate_limited', true)
  return status >= 500 ? refused(reply, 'unavailable', true) : refused(reply, 'bad_request', false)
}

/** `Retry-After` in seconds or as a date; nothing when it is missing or unreadable. */
export function retryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const text = headers.get('retry-after')?.trim() ?? ''
  return waitOf(/^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000)
}

/** Seconds to wait, whole and from one to a day; nothing when they are no number. */
export const waitOf = (seconds: number): { retryAfterSeconds?: number } =>
  Number.isNaN(seconds) ? {} : { retryAfterSeconds: Math.min(Math.max(1, Math.ceil(seconds)), WAIT_MAX_SECONDS) }

/** The body as a schema reads it; a failure when it is no JSON or nothing like it. Schemas are to be lenient per field. */
export function readRecord<Schema extends z.ZodType>(reply: Reply, schema: Schema): Outcome<z.output<Schema>> {
  const read = schema.safeParse(reply.json)
  return read.success ? { kind: 'found', findings: read.data } : unreadable(reply)
}

const unreadable = ({ json }: Reply) =>
  unavailable(json === undefined ? 'its answer was not JSON' : 'its answer had an unknown shape')
