import { LiveEvent } from '#contract/live.ts'

const ADDRESS = '/api/events'
const FIRST_WAIT = 1000
const LONGEST_WAIT = 10_000

export type StreamOptions = {
  onEvent: (event: LiveEvent) => void
  /** The stream has been away, or comes late: something may have been missed. */
  onCatchUp: () => void
  /** Asked after the server refused the stream; false gives it up for good. */
  mayRetry: () => Promise<boolean>
}

/**
 * The server's stream of changes, opened again by itself, later each time it fails. Ends with `signal`.
 * `comesLate` says that the first opening, too, has something to catch up with.
 */
export const openStream = (
  { onEvent, onCatchUp, mayRetry }: StreamOptions,
  comesLate: boolean,
  signal: AbortSignal,
) => {
  let failures = 0
  let mayHaveMissed = comesLate
  let source: EventSource | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source?.close()
    clearTimeout(waiting)
    source = new EventSource(ADDRESS)
    source.onopen = () => {
      failures = 0
      if (mayHaveMissed) onCatchUp()
      mayHaveMissed = true
    }
    source.onmessage = ({ data }) => {
      const event = LiveEvent.safeParse(parse(data))
      if (event.success) onEvent(event.data)
    }
    source.onerror = () => void fail(source?.readyState === EventSource.CLOSED)
  }

  const fail = async (isRefused: boolean) => {
    source?.close()
    mayHaveMissed = true
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
