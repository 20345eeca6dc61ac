import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, isIP, type Server, Socket } from 'node:net'
import type { Connect, Lookup } from '../connect.ts'
import { createGuardedClient, type GuardedClientOptions } from '../guarded-client.ts'
import { isPublicAddress } from '../public-address.ts'

// A small internet on loopback: names, public addresses with servers behind them, and canaries on private ones.

export type Internet = Awaited<ReturnType<typeof openInternet>>

/** The addresses of a name, for each lookup. Undefined: the resolver never responds. */
type Zone = Record<string, () => string[] | undefined>

export async function openInternet() {
  const zone: Zone = {}
  const servers = new Set<Server>()
  /** Loopback ports by public address and port. */
  const routes = new Map<string, number>()
  const queries: string[] = []
  const connectedTo: string[] = []
  let hits = 0
  let requests = 0

  const listen = async (server: Server, host = '127.0.0.1', port = 0) => {
    servers.add(server)
    server.on('connection', (socket: Socket) => socket.on('error', () => {}))
    await once(server.listen(port, host), 'listening')
    return (server.address() as AddressInfo).port
  }
  const canary = () =>
    createHttpServer((_request, response) => {
      requests += 1
      response.end('secret')
    }).on('connection', () => {
      hits += 1
    })
  const canaryPort = await listen(canary())
  await listen(canary(), '::1', canaryPort)

  const lookup: Lookup = (host, _options, done) => {
    queries.push(host)
    const addresses = zone[host] === undefined ? [] : zone[host]()
    if (addresses === undefined) return
    const error = addresses.length === 0 ? new Error(`getaddrinfo ENOTFOUND ${host}`) : null
    setImmediate(() => done(error, addresses.map(withFamily)))
  }

  /**
   * Connects like Node: to a literal address itself, for a name to what the resolver in the options currently returns.
   */
  const openSocket: Connect = (options) => {
    const socket = new Socket()
    const go = (address: string) => {
      connectedTo.push(address)
      Object.defineProperty(socket, 'remoteAddress', { value: address })
      const port = isPublicAddress(address) ? routes.get(`${address} ${options.port}`) : canaryPort
      if (port === 0) return
      if (port === undefined) socket.destroy(new Error('connect ECONNREFUSED'))
      else socket.connect(port, '127.0.0.1')
    }
    const { host = '' } = options
    if (isIP(host)) go(host)
    else options.lookup?.(host, { all: true }, (_error, found) => go((found as LookupAddress[])[0]?.address ?? ''))
    return socket
  }

  return {
    queries,
    connectedTo,
    canaryPort,
    /** Connections to a canary, and requests over them. */
    canary: () => ({ hits, requests }),
    name: (host: string, ...addresses: string[]) => {
      zone[host] = () => addresses
    },
    /** A name that resolves differently each time, or never (undefined). */
    resolver: (host: string, answer: () => string[] | undefined) => {
      zone[host] = answer
    },
    serve: async (address: string, listener: RequestListener) => {
      routes.set(`${address} 80`, await listen(createHttpServer(listener)))
    },
    serveSecurely: async (address: string, certificate: { key: string; cert: string }, listener: RequestListener) => {
      routes.set(`${address} 443`, await listen(createHttpsServer(certificate, listener)))
    },
    /** A server that writes its response byte by byte. */
    serveRaw: async (address: string, port: 80 | 443, speak: (socket: Socket) => void) => {
      routes.set(`${address} ${port}`, await listen(createServer((socket) => speak(socket.resume()))))
    },
    /** An address behind a firewall that drops everything. */
    filter: (address: string, port: 80 | 443) => {
      routes.set(`${address} ${port}`, 0)
    },
    /** What a client needs to be on this internet. */
    way: { lookup, connect: openSocket },
    client: (options: Partial<GuardedClientOptions> = {}) =>
      createGuardedClient({ allowHosts: [], lookup, connect: openSocket, ...options }),
    /** Connects to a canary whatever the target, with its true remote address. */
    connectToCanary: (() => connect(canaryPort, '127.0.0.1')) as Connect,
    openSockets: async () => {
      const counts = [...servers].map(
        (server) => new Promise<number>((done) => server.getConnections((_error, count) => done(count))),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    close: () => Promise.all([...servers].map((server) => new Promise((done) => server.close(done)))),
  }
}

const withFamily = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })
