import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Neutral, so that a site learns neither which product reads it nor why. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; LinkPreview/1.0)'

/** Informational responses (103 and similar) escape the limit of headers, because each one starts a new count. */
const PROVISIONAL_MAX = 10

/** What is sent to an address, with the headers that describe it. */
export type Posted = { body: string; headers: Readonly<Record<string, string>> }

type Options = { accept: string; headerBytes: number; signal: AbortSignal; posted?: Posted | undefined }

/** Sends one GET, or one POST, over a connection. Resolves with the head of the response; the body is still unread. */
export function request(
  socket: Socket,
  url: URL,
  { accept, headerBytes, signal, posted }: Options,
): Promise<IncomingMessage> {
  const common = { host: url.host, 'user-agent': USER_AGENT, accept, 'accept-encoding': 'gzip, br, deflate' }
  const sent = posted && { ...posted.headers, 'content-length': String(Buffer.byteLength(posted.body)) }
  return new Promise((done, fail) => {
    let provisional = 0
    http
      .request({
        createConnection: () => socket,
        method: posted ? 'POST' : 'GET',
        path: url.pathname + url.search,
        headers: { ...common, ...sent },
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
      .end(posted?.body)
  })
}
