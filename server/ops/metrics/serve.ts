import { createServer } from 'node:http'
import { unknownHost } from '#server/http/errors.ts'
import { hasTwoHosts } from '#server/http/host.ts'
import { StartupError } from '#server/startup-error.ts'

/** Serves `GET /metrics` on a port of its own. Returns a function that stops it. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  isKnownHost: (header: string) => boolean,
  text: () => Promise<string>,
): Promise<() => Promise<void>> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, async (request, response) => {
    if (hasTwoHosts(request) || !isKnownHost(request.headers.host ?? '')) {
      return response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(unknownHost().message)
    }
    if (request.url !== '/metrics' || request.method !== 'GET') return response.writeHead(404).end()
    const answer = await text()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(answer)
  })
  server.maxConnections = 20
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartupError(`Port ${port} is in use. Stop what uses it, or set METRICS_PORT to another one.`)
          : error,
      ),
    )
    server.listen(port, host, resolve)
  })
  return () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
}
