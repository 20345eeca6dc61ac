import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#server/log.ts'
import type { Listen } from './database.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Listening on a connection of its own, which is made anew whenever it is lost. */
export const listenOn =
  (url: string, log: Log): Listen =>
  async (channels, onGap) => {
    let isStopped = false
    let client: pg.Client

    const connect = async () => {
      const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
      next.on('notification', ({ channel, payload }) => channels[channel]?.(payload ?? ''))
      // The end follows, and with it the next connection; without a listener the error would end the process.
      next.on('error', (error) => log.warn({ err: error }, 'The connection that hears of changes was lost'))
      await next.connect()
      for (const channel of Object.keys(channels)) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      next.once('end', () => void reconnect())
      client = next
    }

    const reconnect = async () => {
      for (let wait = FIRST_PAUSE_MS; !isStopped; wait = Math.min(LONGEST_PAUSE_MS, wait * 2)) {
        try {
          await connect()
          return onGap()
        } catch {
          await pause(wait, undefined, { ref: false })
        }
      }
    }

    await connect()
    return async () => {
      isStopped = true
      await client.end()
    }
  }
