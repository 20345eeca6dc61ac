import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NextStep, NextStepCounts } from '#contract/board.ts'
import { get, getPage, type Page } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { nextStepsKey } from '#web/pipeline/api.ts'

const STEPS_A_PAGE = 30

/** The next steps with a date of the signed-in person, soonest first. */
export const mySteps = infiniteQueryOptions({
  queryKey: [...nextStepsKey, 'mine'] as const,
  queryFn: ({ pageParam, signal }) => getPage<NextStep>(pageParam, { signal }),
  initialPageParam: `/next-steps?limit=${STEPS_A_PAGE}`,
  getNextPageParam: (page: Page<NextStep>) => page.next,
})

/** How many of them are late or due today. Null without any. */
export const dueSteps = queryOptions({
  queryKey: [...nextStepsKey, 'due'],
  queryFn: ({ signal }) =>
    get<NextStepCounts | null>(`/next-steps/counts?${new URLSearchParams({ timeZone: timeZone() })}`, { signal }),
})
