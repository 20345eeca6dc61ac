import type { LiveEvent } from '#contract/live.ts'
import { mayCall } from '#web/lib/http/sign-out.ts'

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

const ADDRESS = '/api/events'
const FIRST_WAIT = 1000
const LONGEST_WAIT = 10_000

type StreamOptions = {
  /** The account that the page belongs to. */
  account: string
  onEvent: (event: LiveEvent) => void
  /** Called after the server refused the stream. False stops all retries. */
  mayRetry: () => Promise<boolean>
}

/**
 * The server's stream of changes. Reopens by itself, with a longer wait after each failure. The server knows what the
 * page may have missed in between, or since its first request, and sends it. Ends with `signal`.
 */
const openStream = ({ account, onEvent, mayRetry }: StreamOptions, signal: AbortSignal) => {
  let failures = 0
  let inStepAt = performance.timeOrigin
  let source: EventSource | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source?.close()
    clearTimeout(waiting)
    const behind = Math.max(1, Math.round(Date.now() - inStepAt))
    source = new EventSource(`${ADDRESS}?${new URLSearchParams({ account, behind: String(behind) })}`)
    source.onopen = () => {
      failures = 0
      inStepAt = Date.now()
    }
    source.onmessage = ({ data }) => {
      inStepAt = Date.now()
      onEvent(JSON.parse(data) as LiveEvent)
    }
    source.onerror = () => void fail(source?.readyState === EventSource.CLOSED)
  }

  const fail = async (isRefused: boolean) => {
    source?.close()
    const wait = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT)
    failures += 1
    if (isRefused && !(await mayRetry())) return
    // A random part, so that browsers do not all reconnect at the same time after the server was down.
    if (!signal.aborted) waiting = setTimeout(openAgain, wait * (0.75 + Math.random() / 2))
  }

  /** Not after a sign-out, which would be refused. */
  const openAgain = async () => {
    if ((await mayCall()) && !signal.aborted) open()
  }

  // When the network is back, reopen without waiting.
  const reopen = () => {
    if (source?.readyState !== EventSource.OPEN) open()
  }
  window.addEventListener('online', reopen, { signal })
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(waiting)
  })
  open()
}
