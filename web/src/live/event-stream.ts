import type { LiveEvent } from '#contract/live.ts'

const ADDRESS = '/api/events'
const FIRST_WAIT = 1000
const LONGEST_WAIT = 10_000

export type StreamOptions = {
  onEvent: (event: LiveEvent) => void
  /** Asked after the server refused the stream; false gives it up for good. */
  mayRetry: () => Promise<boolean>
}

/**
 * The server's stream of changes, opened again by itself, later each time it fails. What may have been missed meanwhile,
 * or since the page first asked for anything, the server knows and says. Ends with `signal`.
 */
export const openStream = ({ onEvent, mayRetry }: StreamOptions, signal: AbortSignal) => {
  let failures = 0
  let inStepAt = performance.timeOrigin
  let source: EventSource | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source?.close()
    clearTimeout(waiting)
    const behind = Math.max(1, Math.round(Date.now() - inStepAt))
    source = new EventSource(`${ADDRESS}?behind=${behind}`)
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
    // Not all browsers at the same moment, when it is the server that was away.
    if (!signal.aborted) waiting = setTimeout(open, wait * (0.75 + Math.random() / 2))
  }

  // A network that is back is no reason to wait on.
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
