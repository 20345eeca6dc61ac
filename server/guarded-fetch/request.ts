import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Neutral, so that a site learns neither which product reads it nor why. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; LinkPreview/1.0)'

/** Informational responses (103 and similar) escape the limit of headers, because each one starts a new count. */
const PROVISIONAL_MAX = 10

type Options = { accept: string; headerBytes: number; signal: AbortSignal }

/** Sends one GET over a connection. Resolves with the head of the response; the body is still unread. */
export function request(socket: Socket, url: URL, { accept, headerBytes, signal }: Options): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    let provisional = 0
    http
      .request({
        createConnection: () => socket,
        path: url.pathname + url.search,
        headers: { host: url.host, 'user-agent': USER_AGENT, accept, 'accept-encoding': 'gzip, br, deflate' },
        maxHeaderSize: headerBytes,
        signal,
      })
      .on('response', done)
      .on('error', fail)
      .on('information', () => {
        provisional += 1
        if (provisional > PROVISIONAL_MAX) socket.destroy(new Error('The server sent too many provisional responses'))
      })
      .on('close', () => fail(new Error('The connection closed without a response')))
      .end()
  })
}
