import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { KindName } from '#contract/kinds.ts'
import type { Since } from '#contract/since.ts'
import type { SinceKey } from '#contract/since-keys.ts'
import { get, post } from '#web/lib/http.ts'

/** What others did since the person was last here. Optional on the page, so a failure is not shown. */
export const since = queryOptions({
  queryKey: ['since'],
  queryFn: ({ signal }) => get<Since>('/since', { signal }),
  staleTime: 0,
})

type Seen = { key: SinceKey; kind: KindName; until: string }

export const setSeen = mutationOptions({
  mutationFn: ({ key, ...seen }: Seen) => post<void>(`/since/${key}/seen`, seen),
  onSuccess: (_nothing, _seen, _result, { client }) => client.invalidateQueries({ queryKey: since.queryKey }),
  meta: { failure: 'Failed to clear the number' },
})
