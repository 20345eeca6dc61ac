import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** The interval of readiness checks. A stopping server must serve longer than that. */
export const ASKED_EVERY_MS = 250

/** Consecutive checks without a 200 until a server counts as gone, as in HAProxy: one that is only busy stays. */
const FALL = 3

type Backend = { url: string; agent: http.Agent; isReady: boolean; missed: number }

type Balancer = {
  url: string
  /** Replaces an earlier server, or adds one. */
  set: (place: number, url: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * A balancer with a usual configuration. Each request goes to the next server that is ready by `/readyz`, over
 * kept-alive connections. Only a refused connection moves a request to another server, because then no server has seen
 * it. Nothing else is retried: the client sees any failure of a server as 502.
 */
export async function startBalancer(): Promise<Balancer> {
  const backends: Backend[] = []
  let turn = 0
  let isOver = false

  const next = (besides: Backend[]): Backend | undefined => {
    const ready = backends.filter((backend) => backend.isReady && !besides.includes(backend))
    turn += 1
    return ready[turn % ready.length]
  }

  function pass(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer, tried: Backend[] = []) {
    const backend = next(tried)
    if (backend === undefined)
      return response.writeHead(502, { 'content-type': 'text/plain' }).end('No server is ready')
    const { method, headers } = request
    const onward = http.request(`${backend.url}${request.url}`, {
      agent: backend.agent,
      method: method ?? 'GET',
      headers,
    })
    onward.on('response', (answer) => {
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return pass(request, response, body, [...tried, backend])
      if (response.headersSent) return response.destroy()
      response.writeHead(502, { 'content-type': 'text/plain' }).end(`${error.code} ${error.message}`)
    })
    response.on('close', () => onward.destroy())
    onward.end(body)
  }

  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    pass(request, response, Buffer.concat(parts))
  })

  const ask = async (backend: Backend) => {
    const answer = await fetch(`${backend.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    backend.missed = answer?.ok ? 0 : backend.missed + 1
    backend.isReady = answer?.ok || (backend.isReady && backend.missed < FALL)
  }
  const asking = (async () => {
    while (!isOver) {
      await Promise.all(backends.map(ask))
      await pause(ASKED_EVERY_MS)
    }
  })()

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async set(place, url) {
      const backend = { url, agent: new http.Agent({ keepAlive: true }), isReady: false, missed: 0 }
      await ask(backend)
      backends[place]?.agent.destroy()
      backends[place] = backend
    },
    async close() {
      isOver = true
      await asking
      for (const { agent } of backends) agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
