import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { CURRENT_USER, currentSession } from '#web/auth/api.ts'
import { ApiError, get } from '#web/lib/http.ts'
import { batched, type Concern } from './batched.ts'
import { shareStream } from './shared-stream.ts'

/** Keeps what is on the page as it is on the server, as long as somebody is signed in. */
export const useLiveUpdates = (concernOf: (event: LiveEvent) => Concern) => {
  const client = useQueryClient()

  useEffect(() => {
    const ending = new AbortController()

    const askAgain = (concern: Concern) =>
      concern === 'everything'
        ? client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentSession.queryKey[0] })
        : Promise.all(concern.map((queryKey) => client.invalidateQueries({ queryKey })))

    const tell = batched(askAgain, ending.signal)
    shareStream({ onEvent: (event) => tell(concernOf(event)), mayRetry: isSignedIn }, ending.signal)
    return () => ending.abort()
  }, [client, concernOf])
}

/** An event stream does not say why it was refused. A 401 here ends the session on the page, as any other does. */
const isSignedIn = async () => {
  try {
    await get(CURRENT_USER)
    return true
  } catch (failure) {
    return !(failure instanceof ApiError && failure.endsSession)
  }
}
