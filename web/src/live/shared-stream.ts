import type { LiveEvent } from '#contract/live.ts'
import { openStream, type StreamOptions } from './event-stream.ts'

const EVERYTHING: LiveEvent = { kind: 'everything' }

/** Sent by a new tab to the one that has the stream: the time since which it may have missed events. */
type Latecomer = { showsSince: number }

/**
 * One stream for each browser and account: the tab that holds a lock has the stream and broadcasts its events to the others. When that
 * tab closes, the next one gets the lock. Browsers without locks open one stream for each tab. Ends with `signal`.
 */
export const shareStream = ({ account, onEvent, mayRetry }: StreamOptions, signal: AbortSignal) => {
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    openStream({ account, onEvent, mayRetry }, signal)
    return
  }

  const name = `sourcebook-live ${account}`
  const channel = new BroadcastChannel(name)
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
  /** The other tabs learn from their next calls why the stream has ended. */
  const mayAllRetry = async () => {
    const may = await mayRetry()
    if (!may) {
      // Its own one may be closed by then.
      const others = new BroadcastChannel(name)
      others.postMessage(EVERYTHING)
      others.close()
    }
    return may
  }
  const lead = async () => {
    if (signal.aborted) return
    openStream({ account, onEvent: publish, mayRetry: mayAllRetry }, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  // Try the lock without waiting first: a tab that waits for it gets it only after another tab has closed.
  const leadOrFollow = async () => {
    const isLeader = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await lead()
      else channel.postMessage({ showsSince: performance.timeOrigin } satisfies Latecomer)
      return lock !== null
    })
    if (!isLeader) await navigator.locks.request(name, { signal }, lead)
  }
  leadOrFollow().catch((reason: unknown) => {
    if (!signal.aborted) throw reason
  })
}
