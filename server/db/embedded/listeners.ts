import pg from 'pg'
import type { Statements } from './statements.ts'

type Listener = { callback: (payload: string) => void; onGap?: (() => void) | undefined }

/** Who listens to which channel: kept on the server's side, so that a new thread can be notified. */
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
      // Two may bring the same functions, and each stops for itself.
      const own = { ...listener }
      channels.set(channel, (channels.get(channel) ?? new Set()).add(own))
      try {
        await exec(`LISTEN ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        remove(channel, own)
        throw error
      }
      return async () => {
        // Nobody is called any more, whether or not the database still hears this.
        if (remove(channel, own)) await exec(`UNLISTEN ${pg.escapeIdentifier(channel)}`).catch(() => {})
      }
    },

    notify(channel: string, payload: string): void {
      for (const { callback } of channels.get(channel) ?? []) attempt(channel, () => callback(payload))
    },

    /** Says that something may have been missed, to each function once: one may listen to several channels. */
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

    /** What a new session must run to hear what the one before heard. */
    statements: () => [...channels.keys()].map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`),
  }
}
