import type { App } from './app.ts'

/** How long idle connections stay open after the last request of any: a busy client's next one may be on its way. */
const DRAIN_MS = 1_000
const SWEEP_EVERY_MS = 100

/**
 * While the signal is set the server still serves, but every response closes its connection, so that clients and
 * balancers move to another server without losing a request.
 */
export function closeKeepAlive(app: App, leaving: AbortSignal): void {
  leaving.addEventListener('abort', () => {
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  })
}

/**
 * Closing a server cuts off idle connections, some of them just before their next request. So they close a little
 * later. Requests that arrive until then are answered, and their connection closes with the response, so that this ends.
 */
export function drainOnClose(app: App): void {
  app.addHook('preClose', async () => {
    const { server } = app
    const closeQuietOnes = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => {}
    let quietSince = Date.now()
    server.prependListener('request', () => {
      quietSince = Date.now()
    })
    const sweep = setInterval(() => {
      // Right after what has arrived was read: a connection with an unread request looks idle.
      if (Date.now() - quietSince >= DRAIN_MS) setImmediate(closeQuietOnes)
    }, SWEEP_EVERY_MS)
    server.once('close', () => clearInterval(sweep))
    // Without a port there is no server to close.
    if (!server.listening) clearInterval(sweep)
  })
}
