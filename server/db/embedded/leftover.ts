import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FolderError } from './errors.ts'
import { asRoot } from './user.ts'

// A server that is there although no product has the folder: the process that stops it was killed too, or the product has
// just ended, or it runs in another container.

/** In milliseconds. */
const STOPPED_WITHIN = 10_000
const FAST_WITHIN = 5_000
const TRY_EVERY = 50

type Verdict = 'gone' | 'ours' | 'another container' | 'another program'

/**
 * Stops a server that still runs on the cluster. Call it with the lock of the folder. A `postmaster.pid` whose process is
 * gone stays: PostgreSQL looks at the shared memory too.
 */
export async function stopLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const began = performance.now()
  let signalled: NodeJS.Signals | undefined
  for (;;) {
    const passed = performance.now() - began
    const lines = linesOf(file)
    const pid = Number(lines[0])
    const verdict = lines.length === 0 ? 'gone' : await judge(pid, lines, cluster)
    if (verdict === 'gone') return
    if (verdict === 'another program') return rmSync(file, { force: true })
    const signal = passed > FAST_WITHIN ? 'SIGQUIT' : 'SIGINT'
    if (verdict === 'ours' && signal !== signalled) {
      signalled = signal
      send(pid, signal)
    }
    if (passed > STOPPED_WITHIN) throw new FolderError(stillThere(cluster, verdict, pid))
    await pause(TRY_EVERY)
  }
}

const stillThere = (cluster: string, verdict: Verdict, pid: number) =>
  verdict === 'ours'
    ? `A PostgreSQL (process ${pid}) is still running on the folder ${cluster}, and could not be stopped. Stop it first.`
    : `A PostgreSQL of another container is running on the folder ${cluster}. Stop that container first.`

async function judge(pid: number, [, , , port, sockets]: string[], cluster: string): Promise<Verdict> {
  const process = processOf(pid, cluster)
  if (process === 'ours') return 'ours'
  if (port && sockets && (await answers(join(sockets, `.s.PGSQL.${port}`)))) return 'another container'
  return process
}

/** A process is another program only where that can be seen: without the right to look, it counts as the cluster's. */
function processOf(pid: number, cluster: string): 'gone' | 'ours' | 'another program' {
  if (!isAlive(pid)) return 'gone'
  try {
    return asRoot(() => readlinkSync(`/proc/${pid}/cwd`)) === realpathSync(cluster) ? 'ours' : 'another program'
  } catch {
    return 'ours'
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 1)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    asRoot(() => process.kill(pid, signal))
  } catch {
    // It has just ended, or belongs to another user: the wait says so.
  }
}

const answers = (socket: string) =>
  new Promise<boolean>((done) => {
    const client = connect(socket, () => {
      client.destroy()
      done(true)
    }).on('error', () => done(false))
  })

const linesOf = (file: string): string[] => {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  } catch {
    return []
  }
}
