import type { Statements } from './statements.ts'

type Callback = (payload: string) => void

/** Who listens to which channel: kept on the server's side, so that a new thread can be told. */
export function createListeners(log: { error: (message: string) => void }) {
  const channels = new Map<string, Set<Callback>>()

  function remove(channel: string, callback: Callback): boolean {
    const callbacks = channels.get(channel)
    if (!callbacks?.delete(callback) || callbacks.size > 0) return false
    return channels.delete(channel)
  }

  return {
    async listen({ exec }: Statements, channel: string, callback: Callback): Promise<() => Promise<void>> {
      // Two listeners may bring the same function, and each stops for itself.
      const own: Callback = (payload) => callback(payload)
      channels.set(channel, (channels.get(channel) ?? new Set()).add(own))
      try {
        await exec(`LISTEN ${quote(channel)}`)
      } catch (error) {
        remove(channel, own)
        throw error
      }
      return async () => {
        // Nobody is called any more, whether or not the database still hears this.
        if (remove(channel, own)) await exec(`UNLISTEN ${quote(channel)}`).catch(() => {})
      }
    },

    notify(channel: string, payload: string): void {
      for (const callback of channels.get(channel) ?? []) {
        try {
          callback(payload)
        } catch (error) {
          log.error(`A listener of ${channel} failed: ${(error as Error).message}`)
        }
      }
    },

    /** What a new session must run to hear what the one before heard. */
    statements: () => [...channels.keys()].map((channel) => `LISTEN ${quote(channel)}`),
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
