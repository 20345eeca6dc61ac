import type { LiveEvent } from '#contract/live.ts'
import { openStream, type StreamOptions } from './event-stream.ts'

const NAME = 'sourcebook-live'
const EVERYTHING: LiveEvent = { kind: 'everything' }

/** Sent by a new tab to the one that has the stream: the time since which it may have missed events. */
type Latecomer = { showsSince: number }

/**
 * One stream for each browser: the tab that holds a lock has the stream and broadcasts its events to the others. When that
 * tab closes, the next one gets the lock. Browsers without locks open one stream for each tab. Ends with `signal`.
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
  let lastEventAt = Number.NEGATIVE_INFINITY
  channel.onmessage = ({ data }: MessageEvent<LiveEvent | Latecomer>) => {
    if (!('showsSince' in data)) onEvent(data)
    else if (data.showsSince < lastEventAt) channel.postMessage(EVERYTHING)
  }
  signal.addEventListener('abort', () => channel.close())

  const publish = (event: LiveEvent) => {
    lastEventAt = Date.now()
    onEvent(event)
    channel.postMessage(event)
  }
  const lead = async () => {
    if (signal.aborted) return
    openStream({ onEvent: publish, mayRetry }, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  // Try the lock without waiting first: a tab that waits for it gets it only after another tab has closed.
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
