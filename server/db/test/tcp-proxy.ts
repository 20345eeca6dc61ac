import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

type TcpProxy = {
  /** The address of the database through this proxy. */
  through: (url: string) => string
  /** Passes nothing and breaks nothing, like a network that drops packets. */
  swallow: () => void
  /** Breaks every connection, and refuses new ones. */
  cut: () => void
  pass: () => void
  /** Passes new connections. Those that are open stay silent without an end; the database notices that after a while. */
  lose: () => void
  /** Leads new connections to the database at another address. Those that are open stay where they are. */
  turnTo: (target: string) => void
  /** Withholds the notices of the connections that are open. */
  withhold: () => void
  close: () => Promise<void>
}

/** When PostgreSQL notices by its keepalives that a client is lost. */
const NOTICED_MS = 25_000

const NOTIFICATION = 'A'.charCodeAt(0)

/** The messages of a server one by one: a type, a length without the type, and content. */
function messagesOf(onMessage: (bytes: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      onMessage(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}

/** A proxy between a server and its database on this machine. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let { port } = new URL(target)
  let way: 'open' | 'swallowing' | 'cut' = 'open'
  const pairs = new Set<[Socket, Socket]>()
  const withoutNotices = new Set<Socket>()

  const server = createServer((near) => {
    if (way === 'cut') return near.resetAndDestroy()
    const far = connect({ host: '127.0.0.1', port: Number(port) })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.on('data', (bytes) => far.write(bytes))
    const toNear = messagesOf((bytes) => {
      if (bytes[0] !== NOTIFICATION || !withoutNotices.has(near)) near.write(bytes)
    })
    far.on('data', toNear)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => {})
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
      // A paused socket does not notice its own end.
      if (way === 'swallowing') one.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as { port: number }

  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${address.port}` }).href,
    swallow() {
      way = 'swallowing'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    cut() {
      way = 'cut'
      for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
    },
    pass() {
      way = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    lose() {
      way = 'open'
      for (const pair of pairs) for (const socket of pair) socket.pause()
      const lost = [...pairs]
      const end = () => {
        // The client still notices nothing.
        for (const [, far] of lost) far.removeAllListeners('close').destroy()
      }
      setTimeout(end, NOTICED_MS).unref()
    },
    turnTo(other) {
      port = new URL(other).port
    },
    withhold() {
      for (const [near] of pairs) withoutNotices.add(near)
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
