import { LiveEvent } from '#contract/live.ts'
import { openStream, type StreamOptions } from './event-stream.ts'

const NAME = 'sourcebook-live'
const EVERYTHING: LiveEvent = { kind: 'everything' }

/**
 * One stream a browser: the tab that holds the lock has it and passes on what it hears; when that tab goes, the browser
 * gives the lock to the next. A browser that cannot do this opens one stream a tab. Ends with `signal`.
 */
export const shareStream = (
  { onEvent, mayRetry }: { onEvent: (event: LiveEvent) => void } & Pick<StreamOptions, 'mayRetry'>,
  signal: AbortSignal,
) => {
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    openStream({ onEvent, onCatchUp: () => onEvent(EVERYTHING), mayRetry }, false, signal)
    return
  }

  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }) => {
    const event = LiveEvent.safeParse(data)
    if (event.success) onEvent(event.data)
  }
  signal.addEventListener('abort', () => channel.close())

  const tellAll = (event: LiveEvent) => {
    onEvent(event)
    channel.postMessage(event)
  }
  const stream = { onEvent: tellAll, onCatchUp: () => tellAll(EVERYTHING), mayRetry }
  const lead = async (comesLate: boolean) => {
    if (signal.aborted) return
    openStream(stream, comesLate, signal)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

  // Asked first whether the lock is free, because whoever has to wait for it follows on a tab that has gone.
  const leadOrFollow = async () => {
    const isLeader = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(false)
      return lock !== null
    })
    if (!isLeader) await navigator.locks.request(NAME, { signal }, () => lead(true))
  }
  leadOrFollow().catch((reason: unknown) => {
    if (!signal.aborted) throw reason
  })
}
