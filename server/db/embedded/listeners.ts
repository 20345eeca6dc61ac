import pg from 'pg'
import type { Statements } from './statements.ts'

type Listener = { callback: (payload: string) => void; onGap?: (() => void) | undefined }

/** The subscriptions of each channel, kept outside the worker so that a new worker can restore them. */
export function createListeners(log: { error: (message: string) => void }) {
  const channels = new Map<string, Set<Listener>>()

  function remove(channel: string, listener: Listener): boolean {
    const listeners = channels.get(channel)
    if (!listeners?.delete(listener) || listeners.size > 0) return false
    return channels.delete(channel)
  }

  function attempt(channel: string, call: () => void) {
    try {
      call()
    } catch (error) {
      log.error(`A listener of ${channel} failed: ${(error as Error).message}`)
    }
  }

  return {
    async listen({ exec }: Statements, channel: string, listener: Listener): Promise<() => Promise<void>> {
      // Each call gets a subscription of its own, even with the same functions.
      const own = { ...listener }
      channels.set(channel, (channels.get(channel) ?? new Set()).add(own))
      try {
        await exec(`LISTEN ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        remove(channel, own)
        throw error
      }
      return async () => {
        // Stops calling the listener immediately, whether or not the database still sends notifications.
        if (remove(channel, own)) await exec(`UNLISTEN ${pg.escapeIdentifier(channel)}`).catch(() => {})
      }
    },

    notify(channel: string, payload: string): void {
      for (const { callback } of channels.get(channel) ?? []) attempt(channel, () => callback(payload))
    },

    /** Calls each `onGap` once, because one subscriber may listen to several channels. */
    notifyGap(): void {
      const notified = new Set<() => void>()
      for (const [channel, listeners] of channels) {
        for (const { onGap } of listeners) {
          if (onGap === undefined || notified.has(onGap)) continue
          notified.add(onGap)
          attempt(channel, onGap)
        }
      }
    },

    /** The statements that restore the subscriptions in a new session. */
    statements: () => [...channels.keys()].map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`),
  }
}
