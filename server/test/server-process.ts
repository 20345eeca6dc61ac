import { type ChildProcess, spawn } from 'node:child_process'
import { productArguments, productFolder } from './product.ts'

export type ServerProcess = {
  url: string
  pid: number
  /** Sends the signal and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<Ended>
  ended: Promise<Ended>
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

type Start = {
  /** Settings, such as DATA_DIR. The defaults are a free port and no provider. With a PUBLIC_URL, set a PORT too. */
  settings: Record<string, string>
  /** Node options before the program, such as a preload that makes the disk fail. */
  nodeArguments?: string[]
  /** The user of the server, if not that of the tests. */
  as?: { uid: number; gid: number }
  /** Called as soon as the process exists, long before it serves. */
  onSpawn?: (server: ChildProcess) => void
}

/** Starts the built server like `npm start`, and waits for its address. Rejects with `Ended` if it ends before. */
export function startServer({ settings, nodeArguments = [], as, onSpawn }: Start): Promise<ServerProcess> {
  const server = spawn(process.execPath, [...nodeArguments, ...productArguments('main')], {
    cwd: productFolder(),
    env: { PATH: process.env.PATH, PORT: '0', ENRICHMENT_PROVIDERS: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  })
  onSpawn?.(server)
  let stdout = ''
  let stderr = ''
  server.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    server.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return new Promise((resolve, reject) => {
    void ended.then(reject)
    server.stdout.on('data', (chunk) => {
      stdout += chunk
      const [, address] = /running at (\S+)\n/.exec(stdout) ?? []
      // The address that people open may be that of a proxy.
      const port = address && ((settings.PUBLIC_URL && settings.PORT) || new URL(address).port)
      if (port === undefined) return
      resolve({
        url: `http://127.0.0.1:${port}`,
        pid: server.pid as number,
        end: (signal) => {
          server.kill(signal)
          return ended
        },
        ended,
      })
    })
  })
}
