import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Failure } from '#contract/errors.ts'

const REFUSALS: Record<string, [status: number, error: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'This request took too long to arrive. Try again.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of this request are too large'],
}
const UNREADABLE: [number, string] = [400, 'This request is not valid HTTP']

/** Refuses requests that Node cannot read, in the shape of every failure. No hook and no route runs for them. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, sentence] = REFUSALS[error.code ?? ''] ?? UNREADABLE
  const body = JSON.stringify({ error: sentence } satisfies Failure)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
