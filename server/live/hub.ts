import type { ServerResponse } from 'node:http'
import { findLiveSessions } from '#server/auth/sessions/session.ts'
import type { OpenCalls } from '#server/auth/tokens/open-calls.ts'
import { findLiveTokens } from '#server/auth/tokens/store.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'

/** Frequent enough that no proxy closes an idle stream. */
const HEARTBEAT_MS = 15_000
/** Ended sessions are notified. Expired ones are polled, and their streams end soon after. */
const LOOK_FOR_ENDED_MS = 4_000
/** Tokens are dead within a second. */
const LOOK_FOR_ENDED_TOKENS_MS = 500
/** A reader with more than this unsent is disconnected. The page reconnects and catches up. */
const UNREAD_MAX = 1_048_576
/** The tabs of a browser share one stream, so this counts browsers. */
const STREAMS_PER_ACCOUNT = 20
/** The longest delay between the commit of a change and its arrival here, plus that of a request. */
const DELIVERY_MARGIN_MS = 500
const EVERYTHING = '{"kind":"everything"}'
const INBOX = '{"kind":"inbox"}'

type Stream = { response: ServerResponse; sessionId: string; accountId: string }

export type Hub = Awaited<ReturnType<typeof createHub>>

/** The live streams of this process, fed by commits of every process on the database. */
export async function createHub({ db, listen }: OpenDatabase, settings: Settings, openCalls: OpenCalls) {
  const streams = new Set<Stream>()
  const watchers = new Map<string, Set<() => void>>()
  let isEnding = false
  /** The time of the last event. Events before this process started are unknown. */
  let lastEventAt = performance.now()

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

  const broadcast = (event: string) => {
    lastEventAt = performance.now()
    for (const stream of streams) send(stream, `data: ${event}\n\n`)
    if (watchers.size === 0) return
    const { id } = JSON.parse(event) as { id?: string }
    const woken = id === undefined ? [...watchers.values()].flatMap((set) => [...set]) : (watchers.get(id) ?? [])
    for (const wake of woken) wake()
  }

  const endThoseWithoutSession = async () => {
    if (streams.size === 0) return
    const tokens = openCalls.tokenIds()
    // Streams that open during the query are not part of its result.
    const asked = new Set([...streams].map(({ sessionId }) => sessionId))
    const live = await findLiveSessions(db, settings.session, [...asked])
    for (const stream of streams) {
      if (asked.has(stream.sessionId) && !live.has(stream.sessionId) && !tokens.includes(stream.sessionId)) end(stream)
    }
  }
  /** The first manager decides about tokens, of which no row of a token tells. */
  const endThoseOfTokens = async () => {
    const tokens = openCalls.tokenIds()
    if (tokens.length > 0) openCalls.keepOnly(await findLiveTokens(db, settings, tokens), tokens)
  }
  // A failed check gives no information about the streams; the next one runs again.
  const lookForEnded = () => void endThoseWithoutSession().catch(() => {})
  const lookForEndedTokens = () => void endThoseOfTokens().catch(() => {})

  const stop = await listen(
    {
      records: broadcast,
      inbox: (concerned) => {
        lastEventAt = performance.now()
        for (const stream of streams) if (stream.accountId === concerned) send(stream, `data: ${INBOX}\n\n`)
      },
      sessions: (id) => {
        for (const stream of streams) if (stream.sessionId === id) end(stream)
        openCalls.end(id)
      },
    },
    () => {
      broadcast(EVERYTHING)
      lookForEnded()
      lookForEndedTokens()
    },
  )
  const heart = setInterval(() => {
    for (const stream of streams) send(stream, ':\n\n')
  }, HEARTBEAT_MS).unref()
  const watch = setInterval(lookForEnded, LOOK_FOR_ENDED_MS).unref()
  const watchTokens = setInterval(lookForEndedTokens, LOOK_FOR_ENDED_TOKENS_MS).unref()

  /** A reader whose stream ends reconnects by itself, to any server that is ready. */
  const endStreams = () => {
    isEnding = true
    for (const stream of streams) end(stream)
  }

  return {
    /** The number of open streams. */
    size: () => streams.size,

    /** Waits for changes of one record. A change between two waits is not lost. */
    watch(id: string) {
      let hasChanged = false
      let wake = () => {}
      const onChange = () => {
        hasChanged = true
        wake()
      }
      const set = watchers.get(id) ?? new Set()
      watchers.set(id, set.add(onChange))
      return {
        async next(timeout: AbortSignal): Promise<void> {
          if (!hasChanged && !timeout.aborted) {
            await new Promise<void>((resolve) => {
              wake = resolve
              timeout.addEventListener('abort', () => resolve(), { once: true })
            })
          }
          hasChanged = false
        },
        stop(): void {
          set.delete(onChange)
          if (set.size === 0 && watchers.get(id) === set) watchers.delete(id)
        },
      }
    },

    /**
     * Takes over a response whose head is written, until its reader disconnects or its session ends. A reader who was
     * without the stream for `behindMs` gets `everything` if any event may have been missed.
     */
    add({ behindMs, ...stream }: Stream & { behindMs: number }): void {
      const own = [...streams].filter(({ accountId }) => accountId === stream.accountId)
      if (own.length >= STREAMS_PER_ACCOUNT && own[0]) end(own[0])
      if (isEnding) return void stream.response.end()
      streams.add(stream)
      stream.response.on('close', () => streams.delete(stream))
      send(stream, 'retry: 1000\n\n')
      const isBehind = performance.now() - lastEventAt < behindMs + DELIVERY_MARGIN_MS
      if (behindMs > 0 && isBehind) send(stream, `data: ${EVERYTHING}\n\n`)
    },

    endStreams,

    async close(): Promise<void> {
      clearInterval(heart)
      clearInterval(watch)
      clearInterval(watchTokens)
      endStreams()
      await stop().catch(() => {})
    },
  }
}
