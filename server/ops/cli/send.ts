import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { OperatorFile } from './command.ts'
import type { Report, Request } from './socket.ts'

type Output = Pick<OperatorFile, 'write'> & {
  signal: AbortSignal
  out: (line: string) => void
  complain: (line: string) => void
}

/**
 * Runs a command in the server behind the socket, and asks it to stop early on the signal. Returns its exit code;
 * undefined when no server is listening.
 */
export async function sendCommand(path: string, request: Request, output: Output): Promise<number | undefined> {
  const socket = connect(path).on('error', () => {})
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  socket.write(`${JSON.stringify(request)}\n`)
  // Half a file is useless, so the rest of the server's output is not awaited.
  const stop = () => (output.write ? socket.destroy() : socket.write('"stop"\n'))
  if (output.signal.aborted) stop()
  output.signal.addEventListener('abort', stop)
  try {
    for await (const line of linesOf(socket)) {
      const report = JSON.parse(line) as Report
      if (report.kind === 'out') output.out(report.line)
      else if (report.kind === 'complaint') output.complain(report.line)
      else if (report.kind === 'bytes') await output.write?.(Buffer.from(report.bytes, 'base64'))
      else return report.code
    }
    output.complain('The server ended before the command did.')
    return 1
  } finally {
    output.signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

/** One piece at a time, so that the server waits for a slow disk. A broken connection ends the loop too. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of socket.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch {}
}
