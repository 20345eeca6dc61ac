import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { Webhook as Signer } from 'standardwebhooks'
import { RING_PATIENCE_SECONDS, type Ring } from '#contract/webhooks.ts'
import type { Settings } from '#server/env.ts'
import { reasonOf } from '#server/guarded-fetch/address-refused.ts'
import { isAllowed } from '#server/guarded-fetch/allowed-hosts.ts'
import { judgeDestination } from '#server/guarded-fetch/destination.ts'
import { createGuardedClient, type GuardedClientOptions, LIMITS } from '#server/guarded-fetch/guarded-client.ts'
import type { Log } from '#server/log.ts'
import type { Target } from './store.ts'

export type RingSettings = Pick<Settings, 'channelAllowHosts'>

/** Whether an address may be rung: https on its own port, and no address or name that only a network of one's own has. */
export function mayHaveAddress({ channelAllowHosts }: RingSettings, address: string): boolean {
  const url = /^https?:\/\/[\x21-\x7e]+$/i.test(address) ? URL.parse(address) : null
  if (url === null) return false
  if (isAllowed(url, channelAllowHosts)) return true
  try {
    const { host, mayConnect } = judgeDestination(url, channelAllowHosts)
    return url.protocol === 'https:' && (isIP(host) === 0 ? host.includes('.') : mayConnect(host))
  } catch {
    return false
  }
}

/** Signed as Standard Webhooks says. A ring that is tried again has the same id. */
export function signedRing({ id, secret }: Target, cursor: string, now: Date) {
  const message = `ring_${createHash('sha256').update(`${id} ${cursor}`).digest('base64url').slice(0, 22)}`
  const ring: Ring = { type: 'feed.changed', timestamp: now.toISOString(), data: { cursor } }
  const body = JSON.stringify(ring)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': message,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(message, now, body),
  }
  return { body, headers }
}

export type SendRing = (target: Target, cursor: string, now: Date) => Promise<number | null>

/** Rings an address. Resolves with the status of the answer, of which nothing else is read, or null without one. */
export function createRinger(
  settings: RingSettings,
  log: Pick<Log, 'warn'>,
  internet: Pick<GuardedClientOptions, 'lookup' | 'connect'> = {},
): SendRing {
  const client = createGuardedClient({
    ...internet,
    allowHosts: settings.channelAllowHosts,
    limits: { ...LIMITS, totalMs: RING_PATIENCE_SECONDS * 1_000 },
  })
  return async (target, cursor, now) => {
    try {
      return await client.post(target.address, signedRing(target, cursor, now))
    } catch (error) {
      // The address may be a secret, and may be in the error.
      const reason = reasonOf(error).replaceAll(target.address || '…', '…')
      log.warn({ webhook: target.id, reason }, 'A webhook could not be rung')
      return null
    }
  }
}
