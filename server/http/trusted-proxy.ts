import { compile } from '@fastify/proxy-addr'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../env.ts'
import type { App } from './app.ts'

/** Whether `TRUST_PROXY` trusts the forwarding headers of a connection's peer. */
export function peerTrust({ trustProxy }: Settings): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy
  const trusts = typeof trustProxy === 'string' ? compile(trustProxy.split(',').map((part) => part.trim())) : trustProxy
  return (address) => trusts(address, 0)
}

/**
 * An untrusted forwarding header comes from a proxy that is missing in the settings, or from a stranger. It is logged
 * once: enough to notice the first, and too little for the second to fill the log.
 */
export function reportUntrustedForwarding(app: App, settings: Settings, log: FastifyBaseLogger): void {
  const isTrusted = peerTrust(settings)
  let isReported = false
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw
    const peer = socket.remoteAddress ?? ''
    if (!isReported && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined && !isTrusted(peer)) {
      isReported = true
      log.warn(
        { peer },
        'A request has forwarding headers, but TRUST_PROXY does not trust its sender. If the sender is your proxy, set TRUST_PROXY to its address: until then all its clients count as one. This is logged once.',
      )
    }
    done()
  })
}
