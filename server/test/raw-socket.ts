import { connect } from 'node:net'

type RawAnswer = { status: number; text: string }

/** How long a server may take to answer, or to hang up on, what is sent to it byte by byte. */
const PATIENCE_MS = 10_000

/** Sends these very bytes to a port of this machine and answers what came back until the connection ended. */
export function sendBytes(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = () => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`There was no end of the answer: ${text}`)))
    socket.on('data', (chunk) => {
      text += chunk
    })
    // Who is hung up on while still sending is told so by an error, after or instead of an answer.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    )
    socket.on('close', finish)
    for (const part of parts) socket.write(part)
  })
}

/** Sends these bytes and leaves at once, with a reset, as soon as they have left. */
export function sendAndLeave(port: number, part: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.write(part, () => socket.resetAndDestroy())
  })
}
