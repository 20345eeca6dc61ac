import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { delay } from '#web/lib/delay.ts'
import { ApiError, isOtherAccount } from '#web/lib/http.ts'
import { checkSession } from '#web/session/api.ts'
import { useOtherAccount } from '#web/session/other-account.ts'
import { useSignIn } from '#web/session/use-current-user.ts'
import { shareStream } from './shared-stream.ts'

/** Keeps the page up to date with the server while a person is signed in. */
export const useLiveUpdates = (invalidateForEvents: (client: QueryClient, events: LiveEvent[]) => Promise<unknown>) => {
  const client = useQueryClient()
  const { account } = useSignIn()
  const isPaused = useOtherAccount() !== undefined

  useEffect(() => {
    if (account === '' || isPaused) return
    const ending = new AbortController()
    const onEvent = batched((events) => invalidateForEvents(client, events), ending.signal)
    shareStream({ account, onEvent, mayRetry: () => mayRetry(client) }, ending.signal)
    return () => ending.abort()
  }, [client, account, isPaused, invalidateForEvents])
}

/** An event stream does not report why it was refused, so this asks for the session, of which the page then knows. */
const mayRetry = async (client: QueryClient) => {
  try {
    await checkSession(client)
    return true
  } catch (failure) {
    return !(failure instanceof ApiError && failure.endsSession) && !isOtherAccount(failure)
  }
}

const EVERYTHING: LiveEvent = { kind: 'everything' }
/** Beyond this many events, everything is fetched instead. */
const EVENTS_AT_ONCE = 100

/** The quiet time before a batch is handled, the longest that it may be put off, and the pause after it. */
const QUIET_FOR = 80
const PUT_OFF_FOR = 300
const REST_FOR = 300

/**
 * Gathers a burst of events into one batch, handled when the burst ends or has lasted long enough: never during or right
 * after the previous batch, and not while the page is hidden.
 */
const batched = (ask: (events: LiveEvent[]) => Promise<unknown>, signal: AbortSignal) => {
  let gathered = new Map<string, LiveEvent>()
  let isBusy = false
  let gatheringSince: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const schedule = () => {
    if (isBusy || gathered.size === 0 || document.hidden || signal.aborted) return
    gatheringSince ??= performance.now()
    const left = gatheringSince + PUT_OFF_FOR - performance.now()
    clearTimeout(timer)
    timer = setTimeout(askNow, Math.max(0, Math.min(QUIET_FOR, left)))
  }

  const askNow = async () => {
    if (signal.aborted) return
    const events = [...gathered.values()]
    gathered = new Map()
    gatheringSince = undefined
    isBusy = true
    await ask(events.length > EVENTS_AT_ONCE ? [EVERYTHING] : events)
    await delay(REST_FOR)
    isBusy = false
    schedule()
  }

  document.addEventListener('visibilitychange', schedule, { signal })

  return (event: LiveEvent) => {
    if (gathered.size <= EVENTS_AT_ONCE) gathered.set(JSON.stringify(event), event)
    schedule()
  }
}
