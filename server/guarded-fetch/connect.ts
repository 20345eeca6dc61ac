import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net'
import tls from 'node:tls'
import type { Destination } from './destination.ts'

/** The signature of `dns.lookup` with `all`. */
export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The signature of `net.connect`. */
export type Connect = (options: TcpNetConnectOpts) => Socket

type Network = { lookup: Lookup; connect: Connect }

/**
 * Opens a connection to a destination, with TLS for https. Resolves the name once, checks each of its addresses, and
 * connects only to these. Throws when an address is not allowed, when there is no connection, and on the signal.
 */
export async function connect(destination: Destination, network: Network, signal: AbortSignal): Promise<Socket> {
  const { url, host, port, mayConnect } = destination
  const addresses = await resolve(host, network.lookup, signal)
  if (addresses.length === 0 || !addresses.every(({ address }) => mayConnect(address))) {
    throw new Error('Not all addresses of this host are public')
  }
  const socket = network.connect({ host, port, lookup: answering(addresses), autoSelectFamily: true })
  socket.on('error', ignore)
  try {
    await once(socket, 'connect', { signal })
    if (!mayConnect(socket.remoteAddress ?? '')) throw new Error('Connected to an address that was not checked')
    return url.protocol === 'https:' ? await secure(socket, host, signal) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  // An address cannot be a server name. The certificate is still checked against it.
  const name = isIP(host) ? { host } : { host, servername: host }
  const secured = tls.connect({ socket, ...name, ALPNProtocols: ['http/1.1'] })
  secured.on('error', ignore)
  await once(secured, 'secureConnect', { signal })
  return secured
}

/** A resolver cannot be stopped, so a result that arrives after the signal is dropped. */
function resolve(host: string, lookup: Lookup, signal: AbortSignal): Promise<LookupAddress[]> {
  const family = isIP(host)
  if (family) return Promise.resolve([{ address: host, family }])
  return new Promise((done, fail) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    lookup(host, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)))
  })
}

/** A resolver that returns only the addresses that were checked. */
const answering =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses
    if (options.all || first === undefined) done(null, addresses)
    else done(null, first.address, first.family)
  }

/** The caller has the error by then. Without a listener, the event would end the process. */
const ignore = () => {}
