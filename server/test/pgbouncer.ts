import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './postgres-server.ts'

interface PgBouncer {
  /** The address of the same database through this pooler. */
  through: (url: string) => string
  stop: () => Promise<void>
}

const UNPRIVILEGED = 65_534

/** Ends the pooler when its input closes, also after kill -9 of this process. */
const UNTIL_INPUT_CLOSES = '"$@" & pooler=$!; cat > /dev/null; kill -INT $pooler; wait $pooler'

/**
 * Starts the PgBouncer of this path before a PostgreSQL of tests, with its defaults, and with `mode` for those tests
 * that want another pool mode. It returns idle connections soon, because each test file has a database of its own, and asks a database
 * that was away soon, as the documented one does.
 */
export async function startPgBouncer(program: string, postgres: string, mode = 'session'): Promise<PgBouncer> {
  const { username, password, port } = new URL(postgres)
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-pgbouncer-'))
  chmodSync(folder, 0o755)
  const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  const own = await freePort()
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n"product" "product"\n`)
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
server_idle_timeout = 2
server_login_retry = 1
`,
  )
  const shell = spawn('sh', ['-c', UNTIL_INPUT_CLOSES, 'sh', program, '-q', config], {
    // It does not run as root.
    ...(process.getuid?.() === 0 && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  for (let tries = 0; !(await isListening(own)); tries += 1) {
    if (tries === 100) throw new Error(`${program} does not listen`)
    await pause(50)
  }
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${own}` }).href,
    async stop() {
      shell.stdin.end()
      if (shell.exitCode === null) await once(shell, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  const [isOpen] = await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'close').then(() => [false]),
  ]).catch(() => [false])
  socket.destroy()
  return isOpen === true
}
