import type { ServerResponse } from 'node:http'
import { findLiveSessions } from '#server/auth/session.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'

/** Often enough that no proxy takes a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000
/** A reader who lets this much pile up is let go; the page comes back by itself and catches up. */
const UNREAD_MAX = 1_048_576
/** Tabs share one stream a browser, so this is browsers. */
const STREAMS_PER_ACCOUNT = 20

type Stream = { response: ServerResponse; sessionId: string; accountId: string }

/** Waits for changes of one record; one that comes while nobody waits is not lost. */
export type Changes = { next: (patience: AbortSignal) => Promise<void>; stop: () => void }

export type Hub = Awaited<ReturnType<typeof openHub>>

/** The live streams of this process, fed by what any process commits to the database. */
export async function openHub({ db, listen }: OpenDatabase, settings: Settings) {
  const streams = new Set<Stream>()
  const watchers = new Map<string, Set<() => void>>()

  const end = (stream: Stream) => {
    streams.delete(stream)
    stream.response.end()
  }

  const send = (stream: Stream, text: string) => {
    if (stream.response.writableLength > UNREAD_MAX) {
      streams.delete(stream)
      stream.response.destroy()
      return
    }
    stream.response.write(text)
  }

  const tellAll = (event: string) => {
    for (const stream of streams) send(stream, `data: ${event}\n\n`)
    if (watchers.size === 0) return
    const { id } = JSON.parse(event) as { id?: string }
    const woken = id === undefined ? [...watchers.values()].flatMap((set) => [...set]) : (watchers.get(id) ?? [])
    for (const wake of woken) wake()
  }

  /** Ends the streams of sessions that have run out; those that were ended are heard of at once. */
  const beat = async () => {
    if (streams.size === 0) return
    const live = await findLiveSessions(
      db,
      settings.session,
      [...streams].map(({ sessionId }) => sessionId),
    )
    for (const stream of streams) {
      if (live.has(stream.sessionId)) send(stream, ':\n\n')
      else end(stream)
    }
  }

  const stop = await listen(
    {
      records: tellAll,
      sessions: (id) => {
        for (const stream of streams) if (stream.sessionId === id) end(stream)
      },
    },
    () => tellAll('{"kind":"everything"}'),
  )
  // A beat that fails says nothing of the streams; the next one looks again.
  const heart = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MS).unref()

  return {
    watch(id: string): Changes {
      let hasChanged = false
      let wake = () => {}
      const onChange = () => {
        hasChanged = true
        wake()
      }
      const set = watchers.get(id) ?? new Set()
      watchers.set(id, set.add(onChange))
      return {
        async next(patience) {
          if (!hasChanged && !patience.aborted) {
            await new Promise<void>((resolve) => {
              wake = resolve
              patience.addEventListener('abort', () => resolve(), { once: true })
            })
          }
          hasChanged = false
        },
        stop() {
          set.delete(onChange)
          if (set.size === 0 && watchers.get(id) === set) watchers.delete(id)
        },
      }
    },

    /** Takes over a response whose head is written, until its reader leaves or its session ends. */
    add(stream: Stream): void {
      const own = [...streams].filter(({ accountId }) => accountId === stream.accountId)
      if (own.length >= STREAMS_PER_ACCOUNT && own[0]) end(own[0])
      streams.add(stream)
      stream.response.on('close', () => streams.delete(stream))
      send(stream, 'retry: 1000\n\n')
    },

    async close(): Promise<void> {
      clearInterval(heart)
      for (const stream of streams) end(stream)
      await stop().catch(() => {})
    },
  }
}
