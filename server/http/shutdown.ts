import type { App } from '../services.ts'

/** How long a connection may stay quiet before it is closed: its next request may be on its way. */
const DRAIN_MS = 1_000
const SWEEP_EVERY_MS = 100

/**
 * While the signal is set the server still serves, but every answer asks its connection to end, so that whoever sends
 * requests here looks for another server without losing one.
 */
export function closeKeepAlive(app: App, leaving: AbortSignal): void {
  leaving.addEventListener('abort', () => {
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  })
}

/**
 * Closing a server cuts off connections that are quiet at that moment, some of them just before their next request. So
 * they are closed a little later; what still comes until then is answered, and its connection ends with the answer.
 */
export function drainOnClose(app: App): void {
  app.addHook('preClose', async () => {
    const { server } = app
    const closeQuietOnes = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => {}
    const begun = Date.now()
    const sweep = setInterval(() => {
      if (Date.now() - begun >= DRAIN_MS) closeQuietOnes()
    }, SWEEP_EVERY_MS)
    server.once('close', () => clearInterval(sweep))
    // Without a port there is no server that could close.
    if (!server.listening) clearInterval(sweep)
  })
}
