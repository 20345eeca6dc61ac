import { type ChannelKind, isChannelAddress } from '#contract/channel-addresses.ts'
import type { Settings } from '#server/env.ts'
import { reasonOf } from '#server/guarded-fetch/address-refused.ts'
import { isAllowed } from '#server/guarded-fetch/allowed-hosts.ts'
import { createGuardedClient, LIMITS } from '#server/guarded-fetch/guarded-client.ts'
import type { Log } from '#server/log.ts'
import { bodyOf, type Message } from './message.ts'

const PATIENCE_MS = 10_000

export type ChannelSettings = Pick<Settings, 'channelAllowHosts'>
export type Target = { id: string; kind: ChannelKind; address: string }

/** Whether a channel of a kind may have an address: one of the chat itself, or of a host that the operator has named. */
export const mayHaveAddress = ({ channelAllowHosts }: ChannelSettings, kind: ChannelKind, address: string): boolean => {
  const url = URL.parse(address)
  return isChannelAddress(kind, address) || (url !== null && isAllowed(url, channelAllowHosts))
}

export type PostMessage = (target: Target, message: Message) => Promise<number | null>

/** Sends messages. Resolves with the status of the answer, of which nothing else is read, or null without one. */
export function createPoster(settings: ChannelSettings, log: Pick<Log, 'warn'>): PostMessage {
  const client = createGuardedClient({
    allowHosts: settings.channelAllowHosts,
    limits: { ...LIMITS, totalMs: PATIENCE_MS },
  })
  return async ({ id, kind, address }, message) => {
    try {
      if (!mayHaveAddress(settings, kind, address)) throw new Error('The host is not one of a chat')
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return await client.post(address, { body: bodyOf(kind, message), headers })
    } catch (error) {
      // The address is a secret, and may be in the error.
      log.warn({ channel: id, reason: reasonOf(error).replaceAll(address, '…') }, 'A channel could not be reached')
      return null
    }
  }
}
