import { queryOptions } from '@tanstack/react-query'
import type { NextStepCounts } from '#contract/board.ts'
import { get } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { nextStepsKey } from '#web/pipeline/api.ts'

/** How many next steps of the signed-in person are late or due today. Null without any. */
export const dueSteps = queryOptions({
  queryKey: [...nextStepsKey, 'due'],
  queryFn: ({ signal }) =>
    get<NextStepCounts | null>(`/next-steps/counts?${new URLSearchParams({ timeZone: timeZone() })}`, { signal }),
})
