import type { QueryKey } from '@tanstack/react-query'
import { delay } from '#web/lib/delay.ts'

/** What an event makes stale: some queries by the beginnings of their keys, or everything. */
export type Concern = QueryKey[] | 'everything'

/** How long it must have been quiet before what was gathered is asked for, and how long that may be put off. */
const QUIET_FOR = 80
const PUT_OFF_FOR = 300
const REST_FOR = 300

/**
 * Gathers what a burst of events concerns, so that it is asked for again once: when the burst is over or has lasted,
 * never while the last asking goes on or has only just ended, and not while nobody looks.
 */
export const batched = (ask: (concern: Concern) => Promise<unknown>, signal: AbortSignal) => {
  let gathered: Map<string, QueryKey> | 'everything' = new Map()
  let isBusy = false
  let gatheringSince: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const isEmpty = () => gathered !== 'everything' && gathered.size === 0

  const schedule = () => {
    if (isBusy || isEmpty() || document.hidden || signal.aborted) return
    gatheringSince ??= performance.now()
    const left = gatheringSince + PUT_OFF_FOR - performance.now()
    clearTimeout(timer)
    timer = setTimeout(askNow, Math.max(0, Math.min(QUIET_FOR, left)))
  }

  const askNow = async () => {
    if (signal.aborted) return
    const concern: Concern = gathered === 'everything' ? gathered : [...gathered.values()]
    gathered = new Map()
    gatheringSince = undefined
    isBusy = true
    await ask(concern)
    await delay(REST_FOR)
    isBusy = false
    schedule()
  }

  document.addEventListener('visibilitychange', schedule, { signal })

  return (concern: Concern) => {
    if (concern === 'everything') gathered = concern
    else if (gathered !== 'everything') for (const key of concern) gathered.set(JSON.stringify(key), key)
    schedule()
  }
}
