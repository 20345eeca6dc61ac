import type { LiveEvent } from '#contract/live.ts'
import { openStream, type StreamOptions } from './event-stream.ts'

const NAME = 'sourcebook-live'
const EVERYTHING: LiveEvent = { kind: 'everything' }

/** What a tab that comes later says to the one that has the stream: since when it may have missed something. */
type Latecomer = { showsSince: number }

/**
 * One stream a browser: the tab that holds the lock has it and passes on what it hears; when that tab goes, the browser
 * gives the lock to the next. A browser that cannot do this opens one stream a tab. Ends with `signal`.
 */
export const shareStream = (
  { onEvent, mayRetry }: { onEvent: (event: LiveEvent) => void } & Pick<StreamOptions, 'mayRetry'>,
  signal: AbortSignal,
) => {
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    openStream({ onEvent, mayRetry }, signal)
    return
  }

  const channel = new BroadcastChannel(NAME)
  let heardAt = Number.NEGATIVE_INFINITY
  channel.onmessage = ({ data }: MessageEvent<LiveEvent | Latecomer>) => {
    if (!('showsSince' in data)) onEvent(data)
    else if (data.showsSince < heardAt) channel.postMessage(EVERYTHING)
  }
  signal.addEventListener('abort', () => channel.close())

  const tellAll = (event: LiveEvent) => {
    heardAt = Date.now()
    onEvent(event)
    channel.postMessage(event)
  }
  const lead = async () => {
    if (signal.aborted) return
    openStream({ onEvent: tellAll, mayRetry }, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  // Checks first whether the lock is free, because a tab that waits for it takes over from one that has gone.
  const leadOrFollow = async () => {
    const isLeader = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock) await lead()
      else channel.postMessage({ showsSince: performance.timeOrigin } satisfies Latecomer)
      return lock !== null
    })
    if (!isLeader) await navigator.locks.request(NAME, { signal }, lead)
  }
  leadOrFollow().catch((reason: unknown) => {
    if (!signal.aborted) throw reason
  })
}
