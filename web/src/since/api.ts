import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Since } from '#contract/since.ts'
import type { SinceKey } from '#contract/since-keys.ts'
import { get, post } from '#web/lib/http.ts'

/** What others have added since the person was last here. Optional on the page, so a failure is not shown. */
export const since = queryOptions({
  queryKey: ['since'],
  queryFn: ({ signal }) => get<Since>('/since', { signal }),
  staleTime: 0,
})

type Seen = { key: SinceKey; until: string }

export const setSeen = mutationOptions({
  mutationFn: ({ key, until }: Seen) => post<void>(`/since/${key}/seen`, { until }),
  onSuccess: (_nothing, _seen, _result, { client }) => client.invalidateQueries({ queryKey: since.queryKey }),
  meta: { failure: 'Failed to clear the number' },
})
