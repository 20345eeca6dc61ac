import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from './calls.ts'
import { type Measured, measure } from './load.ts'
import type { Recorded } from './record.ts'

/** Starts the bare server with the recorded statements. `measure` calls it like the product. */
export async function startLimit(databaseUrl: string, recorded: Record<string, Recorded[]>, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-limit-'))
  const file = join(folder, 'recorded.json')
  writeFileSync(file, JSON.stringify(recorded))
  const server = spawn(process.execPath, [join(import.meta.dirname, 'limit-server.ts'), file, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The bare server ended with ${code}`)))
    server.stdout?.once('data', (line) => resolve(String(line).trim()))
  })
  return {
    measure: async ({ name, requests }: Call): Promise<Measured> => {
      const asked = requests.map((request, index) => ({ ...request, path: `/${encodeURIComponent(name)}/${index}` }))
      const headers = { 'content-type': 'application/json' }
      if (seconds > 0) await measure(url, { requests: asked, headers, seconds: Math.min(1, seconds) })
      return measure(url, { requests: asked, headers, seconds })
    },
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
