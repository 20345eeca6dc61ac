import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { ApiError, isOtherAccount } from '#web/lib/http.ts'
import { checkSession } from '#web/session/api.ts'
import { useSignIn } from '#web/session/use-current-user.ts'
import { useOtherAccount } from '#web/session/use-other-account.ts'
import { batched } from './batched.ts'
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
