import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#server/log.ts'
import type { Listen } from './database.ts'

/** The name of every connection of the product in the database. */
export const APPLICATION_NAME = 'sourcebook'

/** PostgreSQL notices a lost client after 25 s, not after two hours, and frees its connection for another one. */
export const KEEPALIVES = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 }

/** Sets settings of a connection, as columns of a select. */
export const settingCalls = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000
/** A connection that only listens does not notice by itself that it is dead. */
const ASK_EVERY_MS = 5_000
const PATIENCE_MS = 4_000
const GOODBYE_MS = 1_000

/** How often a connection that listens gets a notice of its own, and how long that may take. */
export type Echo = { echoEveryMs: number; echoWithinMs: number }

type Options = { url: string; log: Log; notify: (channel: string) => Promise<void> } & Partial<Echo>

/** Listens on a connection of its own, and reconnects whenever it is lost or receives no notices any more. */
export const listenOn =
  ({ url, log, notify, echoEveryMs = 60_000, echoWithinMs = 5_000 }: Options): Listen =>
  async (channels, onGap) => {
    let isStopped = false
    let client: pg.Client
    const echoChannel = `echo_${randomUUID()}`
    let onEcho = () => {}
    const heard: typeof channels = { ...channels, [echoChannel]: () => onEcho() }

    const connect = async () => {
      const next = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
        application_name: APPLICATION_NAME,
      })
      next.on('notification', ({ channel, payload }) => heard[channel]?.(payload ?? ''))
      // The `end` event follows and reconnects. Without a listener, the error would end the process.
      next.on('error', (error) => log.warn({ err: error }, 'The connection that listens for changes was lost'))
      try {
        await next.connect()
        await next.query(`select ${settingCalls(KEEPALIVES)}`)
        for (const channel of Object.keys(heard)) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        void next.end().catch(() => {})
        throw error
      }
      if (isStopped) return next.end()
      client = next
      keepAsking(next)
    }

    /** Runs until the connection ends, which it does at the first probe without a response. */
    const keepAsking = (asked: pg.Client) => {
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        clearInterval(timer)
        clearInterval(echoTimer)
        if (!isStopped) void reconnect()
      }
      const giveUp = () => {
        void asked.end().catch(() => {})
        end()
      }
      const timer = setInterval(() => void asked.query("select 'still there'").catch(giveUp), ASK_EVERY_MS).unref()
      let isWaiting = false
      const echo = async () => {
        if (isWaiting) return
        isWaiting = true
        const isFine = await receivesNotices(asked)
        isWaiting = false
        if (isFine || hasEnded) return
        log.warn('The connection that listens for changes received no notices, and is replaced')
        giveUp()
      }
      const echoTimer = setInterval(() => void echo().catch(giveUp), echoEveryMs).unref()
      asked.once('end', end)
    }

    /** Behind a pooler, for example, a connection may respond and receive nothing. */
    const receivesNotices = async (asked: pg.Client): Promise<boolean> => {
      const echo = Promise.withResolvers<void>()
      let isHere = false
      onEcho = () => {
        isHere = true
        echo.resolve()
      }
      // Sent over another connection. A database that cannot be reached is noticed by the probe.
      const isSent = await notify(echoChannel).then(
        () => true,
        () => false,
      )
      if (!isSent) return true
      await Promise.race([echo.promise, pause(echoWithinMs, undefined, { ref: false })])
      // A busy process reads late. A notice that was sent before this response arrives before it.
      if (!isHere) await asked.query("select 'still there'")
      return isHere
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
      // A connection through which no packet passes would not end otherwise.
      await Promise.race([client.end(), pause(GOODBYE_MS, undefined, { ref: false })])
    }
  }
