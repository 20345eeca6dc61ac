import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { timeUntil } from './worlds.ts'

// Three servers under Patroni with the very files of docs/deploy/patroni: each is a network namespace on a bridge. This
// machine is the application server, with HAProxy and PgBouncer.

const FILES = join(import.meta.dirname, '../../docs/deploy/patroni')
const WITHIN_MS = 180_000
/** Each Debian package with the file that shows whether it is installed. */
const PACKAGES = {
  iproute2: '/usr/sbin/ip',
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
  'etcd-server': '/usr/bin/etcd',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
}
const BRIDGE = 'sourcebook'
const NODES = ['db1', 'db2', 'db3'] as const
type Node = (typeof NODES)[number]
const spaceOf = (node: Node) => `sourcebook-${node}`
const addressOf = (node: Node) => `10.67.5.1${node.at(-1)}`
const FOLDERS = ['/var/lib/postgresql', '/var/lib/etcd', '/etc/patroni', '/var/run/postgresql', '/var/log/postgresql']

const ip = (...words: string[]) => execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const quietly = (work: () => unknown) => {
  try {
    work()
  } catch {}
}

function assertPossible(): void {
  const missing = Object.entries(PACKAGES).filter(([, file]) => !existsSync(file))
  if (missing.length > 0) {
    throw new Error(`This needs Debian 12 with: apt-get install ${missing.map(([name]) => name).join(' ')}`)
  }
  if (process.getuid?.() !== 0) throw new Error('This needs root, for network namespaces')
}

/** The program of a user with folders of its own in place of those of the machine. It ends with this process. */
function run(folder: string, places: string[], user: string, command: string, space?: string): ChildProcess {
  const binds = places.map((place) => `mount --bind ${folder}${place} $(realpath ${place})`)
  const script = [
    ...binds,
    `exec setpriv --pdeathsig KILL --reuid=${user} --regid=${user} --init-groups ${command}`,
  ].join(' && ')
  const [program, ...words] = [
    ...(space ? ['ip', 'netns', 'exec', space] : []),
    'unshare',
    '--mount',
    'sh',
    '-ec',
    script,
  ]
  const output = openSync(join(folder, `${user}.log`), 'a')
  return spawn(program as string, words, { stdio: ['ignore', output, output] })
}

/** Starts the cluster, its switch and its pooler. `DATABASE_URL` is that of the documentation. */
export async function openPatroni() {
  assertPossible()
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-patroni-'))
  chmodSync(folder, 0o755)
  const tearDown = () => {
    for (const node of NODES) {
      quietly(() => endAll(node))
      // Before the namespace, which otherwise deletes it some time later.
      quietly(() => ip('link', 'del', `sb-${node}`))
      quietly(() => ip('netns', 'del', spaceOf(node)))
    }
    quietly(() => ip('link', 'del', BRIDGE))
  }
  // Of a run that was killed.
  tearDown()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', '10.67.5.1/24', 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')

  const copyOf = (name: string, to: string) => cpSync(join(FILES, name), to)
  const make = (path: string, owner: string) => {
    mkdirSync(path, { recursive: true })
    execFileSync('chown', [owner, path])
  }
  for (const node of NODES) {
    for (const place of FOLDERS) make(join(folder, node, place), place === '/var/lib/etcd' ? 'etcd' : 'postgres')
    copyOf('patroni.yml', join(folder, node, 'etc/patroni/config.yml'))
    // What differs between the servers.
    for (const name of ['patroni.env', 'etcd.env']) {
      const [first = '', ...cluster] = readFileSync(join(FILES, name), 'utf8').split(/(?=ETCD_INITIAL_CLUSTER=)/)
      const own = first.replaceAll('db1', node).replaceAll(addressOf('db1'), addressOf(node))
      writeFileSync(join(folder, node, name), [own, ...cluster].join(''))
    }
    const [space, outside] = [spaceOf(node), `sb-${node}`]
    ip('netns', 'add', space)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', outside, 'master', BRIDGE, 'up')
    ip('-n', space, 'addr', 'add', `${addressOf(node)}/24`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    ip('-n', space, 'link', 'set', 'lo', 'up')
  }

  function startNode(node: Node) {
    const own = join(folder, node)
    const withEnv = (file: string, command: string) => `sh -c 'set -a; . ${own}/${file}; exec ${command}'`
    run(own, FOLDERS, 'etcd', withEnv('etcd.env', '/usr/bin/etcd'), spaceOf(node))
    const patroni = '/usr/bin/patroni /etc/patroni/config.yml'
    run(own, FOLDERS, 'postgres', withEnv('patroni.env', patroni), spaceOf(node))
  }
  for (const node of NODES) startNode(node)

  const get = (node: Node, path: string) =>
    fetch(`http://${addressOf(node)}:8008${path}`, { signal: AbortSignal.timeout(2_000) })
  type Member = { role: string; state: string; lag?: number }
  const isWell = ({ role, state, lag }: Member) =>
    role === 'leader' ? state === 'running' : /running|streaming/.test(state) && lag === 0
  /** Whether this server sees all three work, with a synchronous standby. */
  const seesAll = async (node: Node) => {
    const { members } = (await (await get(node, '/cluster')).json()) as { members: Member[] }
    return members.length === 3 && members.every(isWell) && members.some(({ role }) => role === 'sync_standby')
  }
  const isWhole = () =>
    Promise.all(NODES.map(seesAll)).then(
      (all) => all.every(Boolean),
      () => false,
    )
  /** The server that says so of itself, as HAProxy asks. */
  const primary = async (): Promise<Node | undefined> => {
    const isPrimary = await Promise.all(
      NODES.map((node) =>
        get(node, '/primary').then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    return NODES[isPrimary.indexOf(true)]
  }
  const waitForWhole = () => timeUntil(isWhole, WITHIN_MS, 'three servers with a synchronous standby')

  const app = join(folder, 'app')
  for (const place of ['/etc/pgbouncer', '/etc/haproxy', '/var/log/postgresql', '/var/run/postgresql']) {
    make(join(app, place), 'postgres')
  }
  for (const name of ['pgbouncer.ini', 'userlist.txt']) copyOf(name, join(app, 'etc/pgbouncer', name))
  copyOf('haproxy.cfg', join(app, 'etc/haproxy/haproxy.cfg'))
  const startSwitch = () => run(app, ['/etc/haproxy'], 'root', '/usr/sbin/haproxy -db -f /etc/haproxy/haproxy.cfg')
  let haproxy = startSwitch()
  const places = ['/etc/pgbouncer', '/var/log/postgresql', '/var/run/postgresql']
  const pgbouncer = run(app, places, 'postgres', '/usr/sbin/pgbouncer /etc/pgbouncer/pgbouncer.ini')

  async function close() {
    haproxy.kill('SIGKILL')
    pgbouncer.kill('SIGKILL')
    tearDown()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  await waitForWhole().catch(async (error) => {
    await close()
    throw error
  })
  const client = new pg.Client(`postgresql://postgres:change-me@127.0.0.1:5000/postgres`)
  await client.connect()
  await client.query(`create role sourcebook login password 'change-me'`)
  await client.query('create database sourcebook owner sourcebook')
  await client.end()

  let lost: Node | undefined
  const losePrimary = async (lose: (node: Node) => void) => {
    lost = (await primary()) as Node
    lose(lost)
    await timeUntil(async () => ![undefined, lost].includes(await primary()), WITHIN_MS, 'another primary')
  }
  const setLink = (state: 'up' | 'down') => ip('link', 'set', `sb-${lost}`, state)
  return {
    folder,
    settings: { DATABASE_URL: documentedUrl() },
    close,
    kill: () => losePrimary(endAll),
    isolate: () => losePrimary(() => setLink('down')),
    async switchOver() {
      const leader = await primary()
      const answer = await fetch(`http://${addressOf(leader as Node)}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader }),
      })
      if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`)
    },
    async restartSwitch() {
      const ended = once(haproxy, 'exit')
      haproxy.kill('SIGKILL')
      await ended
      haproxy = startSwitch()
    },
    /** Brings back what was lost, and waits until all three work. */
    async repair() {
      if (lost && ip('netns', 'pids', spaceOf(lost)) === '') startNode(lost)
      else if (lost) setLink('up')
      lost = undefined
      await waitForWhole()
    },
  }
}

function endAll(node: Node): void {
  for (const pid of ip('netns', 'pids', spaceOf(node)).split('\n').filter(Boolean)) {
    quietly(() => process.kill(Number(pid), 'SIGKILL'))
  }
}

function documentedUrl(): string {
  const [, url = ''] = /DATABASE_URL=(\S+)/.exec(readFileSync(join(FILES, 'pgbouncer.ini'), 'utf8')) ?? []
  return url
}
