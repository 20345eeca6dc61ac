import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'

// A fake of an external server: it replays responses, records requests, and can misbehave.

type ReceivedRequest = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
  /** The number of bytes of the body that were sent, and whether the connection has closed. */
  sentBytes: number
  isOver: boolean
}

export type ServedReply = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  /** Replaces `json` by a body that is not JSON, such as truncated JSON or a picture. */
  body?: string | Buffer
  delayMs?: number
  /** Sends one byte of the body at a time, at this interval. */
  dripMs?: number
  /** Repeats the body until the client disconnects. */
  isEndless?: boolean
  /** Breaks the connection in place of a response. */
  isReset?: boolean
  /** Breaks the connection after the body, which never ends. */
  isCut?: boolean
}

type Answer = ServedReply | ((request: ReceivedRequest) => ServedReply)

const CHUNK = 64 * 1024

/** Listens on a free port of 127.0.0.1. Returns 404 for every request without a configured response. */
export async function startProviderServer() {
  const requests: ReceivedRequest[] = []
  const rules: { matches: (request: ReceivedRequest) => boolean; answer: Answer }[] = []

  const server = createServer(async (incoming, response) => {
    const request = await received(incoming)
    requests.push(request)
    response.once('close', () => {
      request.isOver = true
    })
    const answer = rules.findLast(({ matches }) => matches(request))?.answer ?? { status: 404, json: {} }
    await send(typeof answer === 'function' ? answer(request) : answer, request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All requests, oldest first. */
    requests,
    /** Sets the response for `GET /path`, or for requests that a function accepts. The latest one wins. */
    on: (match: string | ((request: ReceivedRequest) => boolean), answer: Answer) => {
      const matches =
        typeof match === 'function' ? match : ({ method, path }: ReceivedRequest) => `${method} ${path}` === match
      rules.push({ matches, answer })
    },
    close: async () => {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

export type ProviderServer = Awaited<ReturnType<typeof startProviderServer>>

async function received(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    sentBytes: 0,
    isOver: false,
  }
}

async function send(reply: ServedReply, request: ReceivedRequest, response: ServerResponse) {
  if (reply.delayMs) await wait(reply.delayMs, undefined, { ref: false })
  if (reply.isReset) return response.socket?.resetAndDestroy()
  const type = reply.body === undefined ? { 'content-type': 'application/json' } : {}
  response.writeHead(reply.status ?? 200, { ...type, ...reply.headers })
  // Ends early when the client disconnects, which is not an error here.
  await pipeline(bodyOf(reply, request), response).catch(() => {})
}

async function* bodyOf({ json = null, body, dripMs, isEndless, isCut }: ServedReply, request: ReceivedRequest) {
  const whole = Buffer.from(body ?? JSON.stringify(json))
  const size = dripMs === undefined ? whole.length : 1
  const chunk = Buffer.alloc(CHUNK, whole)
  for (let at = 0; isEndless || at < whole.length; at += size) {
    const piece = isEndless ? chunk : whole.subarray(at, at + size)
    request.sentBytes += piece.length
    yield piece
    if (dripMs) await wait(dripMs)
  }
  if (isCut) throw new Error('The connection breaks here')
}
