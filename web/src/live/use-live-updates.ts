import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { ApiError, get } from '#web/lib/http.ts'
import { CURRENT_USER } from '#web/session/api.ts'
import { batched } from './batched.ts'
import { shareStream } from './shared-stream.ts'

/** Keeps the page up to date with the server while a person is signed in. */
export const useLiveUpdates = (invalidateForEvents: (client: QueryClient, events: LiveEvent[]) => Promise<unknown>) => {
  const client = useQueryClient()

  useEffect(() => {
    const ending = new AbortController()
    const onEvent = batched((events) => invalidateForEvents(client, events), ending.signal)
    shareStream({ onEvent, mayRetry: isSignedIn }, ending.signal)
    return () => ending.abort()
  }, [client, invalidateForEvents])
}

/** An event stream does not report why it was refused, so this checks for a 401, which ends the session on the page. */
const isSignedIn = async () => {
  try {
    await get(CURRENT_USER)
    return true
  } catch (failure) {
    return !(failure instanceof ApiError && failure.endsSession)
  }
}
