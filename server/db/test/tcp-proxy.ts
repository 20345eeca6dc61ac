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
  /** Passes new connections. Those that are open stay silent without an end. */
  lose: () => void
  /** Leads new connections to the database at another address. Those that are open stay where they are. */
  turnTo: (target: string) => void
  close: () => Promise<void>
}

/** A proxy between a server and its database on this machine. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let { port } = new URL(target)
  let way: 'open' | 'swallowing' | 'cut' = 'open'
  const pairs = new Set<[Socket, Socket]>()

  const server = createServer((near) => {
    if (way === 'cut') return near.resetAndDestroy()
    const far = connect({ host: '127.0.0.1', port: Number(port) })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => near.write(bytes))
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
    },
    turnTo(other) {
      port = new URL(other).port
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
