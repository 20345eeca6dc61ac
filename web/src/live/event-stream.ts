import type { LiveEvent } from '#contract/live.ts'

const ADDRESS = '/api/events'
const FIRST_WAIT = 1000
const LONGEST_WAIT = 10_000

export type StreamOptions = {
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
export const openStream = ({ account, onEvent, mayRetry }: StreamOptions, signal: AbortSignal) => {
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
    if (!signal.aborted) waiting = setTimeout(open, wait * (0.75 + Math.random() / 2))
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
