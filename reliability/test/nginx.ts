import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { onTestFinished } from 'vitest'

/** The example of the documentation. */
const EXAMPLE = join(import.meta.dirname, '../../docs/deploy/nginx.conf')

/** Finds nginx, or installs it on Debian as root. Throws a sentence that says what is missing. */
export function findNginx(): string {
  const find = () =>
    [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].map((folder) => join(folder, 'nginx')).find(existsSync)
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    spawnSync('apt-get', ['install', '-y', '-qq', 'nginx'], { stdio: 'ignore' })
  }
  const installed = find()
  if (installed === undefined) throw new Error('The first day needs nginx: install it (`apt-get install -y nginx`).')
  return installed
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Replaces a text that the example must contain. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The example of nginx has no "${from}" any more`)
  return text.replaceAll(from, to)
}

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/**
 * nginx with the example of the documentation, in front of two processes. Only ports, names and paths of the certificate are
 * replaced, and the line of the second process is no comment. Requests of this process trust its certificate.
 */
export async function startNginx(folder: string, backends: [number, number]) {
  const program = findNginx()
  const [plain, secure] = [await freePort(), await freePort()]
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' })

  let site = readFileSync(EXAMPLE, 'utf8')
  for (const [from, to] of [
    ['sourcebook.example.com/fullchain.pem', 'certificate.pem'],
    ['sourcebook.example.com/privkey.pem', 'key.pem'],
    ['/etc/letsencrypt/live/', `${folder}/`],
    ['sourcebook.example.com', 'localhost'],
    ['127.0.0.1:3000', `127.0.0.1:${backends[0]}`],
    ['# server 127.0.0.1:3001', `server 127.0.0.1:${backends[1]}`],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl', `listen 127.0.0.1:${secure} ssl`],
    // This machine may have no IPv6.
    ['listen [::]:80;', ''],
    ['listen [::]:443 ssl http2;', ''],
  ] as const) {
    site = replaced(site, from, to)
  }
  mkdirSync(join(folder, 'conf.d'))
  writeFileSync(join(folder, 'conf.d/sourcebook.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const log = join(folder, 'access.log')
  // What the distribution's nginx.conf has, for one user and in a folder of its own.
  const main = `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {} http { access_log ${log}; default_type application/octet-stream; ${temporary} include ${folder}/conf.d/*.conf; }`
  writeFileSync(join(folder, 'nginx.conf'), main)
  const proxy: ChildProcess = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  proxy.stderr?.on('data', (bytes) => {
    said += bytes
  })
  const ended = once(proxy, 'close')
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')])
  onTestFinished(async () => {
    tls.setDefaultCACertificates(before)
    proxy.kill('SIGQUIT')
    const timer = setTimeout(() => proxy.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(timer)
  })
  for (let waited = 0; !existsSync(join(folder, 'nginx.pid')); waited += 50) {
    if (proxy.exitCode !== null || waited > 20_000) throw new Error(`nginx did not start:\n${said}`)
    await pause(50)
  }
  return {
    url: `https://localhost:${secure}`,
    plainUrl: `http://localhost:${plain}`,
    log: () => readFileSync(log, 'utf8'),
    errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
  }
}
