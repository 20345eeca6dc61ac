import dns from 'node:dns'
import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { AddressRefused } from './address-refused.ts'
import { type AllowedHost, isAllowed } from './allowed-hosts.ts'
import { type Connect, connect, type Lookup } from './connect.ts'
import { type Destination, judgeDestination, judgeRedirect } from './destination.ts'
import { readBody } from './read-body.ts'
import { type Posted, request } from './request.ts'

/** The response. `url` is where the last redirect led. `body` is decoded and at most `maxBytes` long. */
export type Fetched = { url: string; status: number; contentType: string; body: Buffer }

export type GuardedClient = {
  /**
   * GET an untrusted address. Throws `AddressRefused` for everything but a response of 200 to 299: an address that is
   * not public, another port or scheme, no connection, too slow, too long, too many redirects. The error is always the
   * same, so that it cannot be used to probe our network.
   */
  get: (url: string, options: { signal?: AbortSignal; accept?: string; maxBytes?: number }) => Promise<Fetched>
}

export type GuardedPoster = {
  /**
   * POST to an address that a person gave, by https only. Follows no redirect and reads no body. Resolves with the status, whatever it
   * is. Throws `AddressRefused` where there is none, for the same reasons.
   */
  post: (url: string, posted: Posted & { signal?: AbortSignal }) => Promise<number>
}

/** `connectMs` covers resolving, connecting and TLS of one hop together; `totalMs` covers everything. */
export type Limits = { totalMs: number; connectMs: number; bodyBytes: number; headerBytes: number; redirects: number }

export const LIMITS: Limits = {
  totalMs: 8_000,
  connectMs: 2_000,
  bodyBytes: 2 * 1024 * 1024,
  headerBytes: 16 * 1024,
  redirects: 3,
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** `allowHosts` are exempt from the rules of address and port, and only from those. Tests replace the other options. */
export type GuardedClientOptions = {
  allowHosts: AllowedHost[]
  lookup?: Lookup
  connect?: Connect
  limits?: Limits
}

/** Every request has its own connection, so requests share nothing: no pool, no cookies, no sessions. */
export function createGuardedClient({
  allowHosts,
  lookup = dns.lookup,
  connect: openSocket = net.connect,
  limits = LIMITS,
}: GuardedClientOptions): GuardedClient & GuardedPoster {
  /** One hop, and what is read of its response. */
  async function ask<Answer>(
    destination: Destination,
    { accept, signal, posted }: { accept: string; signal: AbortSignal; posted?: Posted },
    read: (response: IncomingMessage, url: URL) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const connecting = AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)])
    const socket = await connect(destination, { lookup, connect: openSocket }, connecting)
    try {
      const { url } = destination
      const response = await request(socket, url, { accept, headerBytes: limits.headerBytes, signal, posted })
      const answer = await read(response, url)
      // A body without a length looks complete when the signal cuts it off.
      signal.throwIfAborted()
      return answer
    } finally {
      socket.destroy()
    }
  }

  const withDeadline = (signal: AbortSignal | undefined) =>
    AbortSignal.any([AbortSignal.timeout(limits.totalMs), ...(signal ? [signal] : [])])

  return {
    async post(address, { signal, ...posted }) {
      try {
        const destination = judgeDestination(new URL(address), allowHosts)
        if (destination.url.protocol !== 'https:' && !isAllowed(destination.url, allowHosts)) {
          throw new Error('The scheme is not https')
        }
        return await ask(
          destination,
          { accept: '*/*', signal: withDeadline(signal), posted },
          ({ statusCode = 0 }) => statusCode,
        )
      } catch (error) {
        throw new AddressRefused(error)
      }
    },

    async get(address, { signal, accept = '*/*', maxBytes = limits.bodyBytes }) {
      const options = { accept, signal: withDeadline(signal) }
      try {
        let destination = judgeDestination(new URL(address), allowHosts)
        for (let redirects = 0; redirects <= limits.redirects; redirects++) {
          const answer = await ask(destination, options, (response, url) => read(response, url, maxBytes))
          if (!('location' in answer)) return answer
          destination = judgeRedirect(destination.url, answer.location, allowHosts)
        }
        throw new Error('There are too many redirects')
      } catch (error) {
        throw new AddressRefused(error)
      }
    },
  }
}

async function read(response: IncomingMessage, url: URL, maxBytes: number): Promise<Fetched | { location: string }> {
  const { statusCode: status = 0, headers } = response
  if (REDIRECTS.has(status) && headers.location !== undefined) return { location: headers.location }
  if (status < 200 || status > 299) throw new Error(`It answered ${status}`)
  return { url: url.href, status, contentType: headers['content-type'] ?? '', body: await readBody(response, maxBytes) }
}
