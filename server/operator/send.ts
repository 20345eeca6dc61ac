import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Report, Request } from './socket.ts'

type Hearing = { signal: AbortSignal; out: (line: string) => void; complain: (line: string) => void }

/**
 * Has the server behind the socket run a command, and asks it to end early at the signal. Answers its exit code; undefined
 * when no server is there.
 */
export function sendCommand(
  path: string,
  request: Request,
  { signal, out, complain }: Hearing,
): Promise<number | undefined> {
  return new Promise((done) => {
    let isConnected = false
    const socket = connect(path, () => {
      isConnected = true
      socket.write(`${JSON.stringify(request)}\n`)
    })
    signal.addEventListener('abort', () => socket.write('"stop"\n'))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (isConnected) complain('The server ended before the command did.')
      done(isConnected ? 1 : undefined)
    })
    // A reader of lines tells the errors of what it reads as its own.
    const lines = createInterface(socket).on('error', () => {})
    lines.on('line', (line) => {
      const report = JSON.parse(line) as Report
      if (report.kind === 'out') out(report.line)
      else if (report.kind === 'complaint') complain(report.line)
      else {
        isConnected = false
        done(report.code)
      }
    })
  })
}
