import { queryOptions } from '@tanstack/react-query'
import type { NextStep } from '#contract/board.ts'
import { listFellows } from '#web/fellows/api.ts'
import { get } from '#web/lib/http.ts'
import { nextStepsKey } from '#web/pipeline/api.ts'
import { currentSession } from '#web/session/api.ts'

const COUNTED_MAX = 100

/** Today in UTC, as the filters of lists count days. */
export const todayInUtc = (now = new Date()) => now.toISOString().slice(0, 10)

/** The late and due next steps of the signed-in person, with their public id for the lists that show them. */
export const dueSteps = queryOptions({
  queryKey: [...nextStepsKey, 'due'],
  queryFn: async ({ client, signal }) => {
    const until = todayInUtc()
    const steps = await get<NextStep[]>(`/next-steps?${new URLSearchParams({ until, limit: String(COUNTED_MAX) })}`, {
      signal,
    })
    if (steps.length === 0) return { steps, until, me: '' }
    const email = client.getQueryData(currentSession.queryKey)?.user?.email ?? ''
    const fellows = await client.fetchQuery(listFellows(email))
    return { steps, until, me: fellows.find((fellow) => fellow.email === email)?.id ?? '' }
  },
})
