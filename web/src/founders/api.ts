import { mutationOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { refreshAnswer } from '#contract/enrichment.ts'
import type { Founder, FounderEnrichment, FounderInput } from '#contract/founder.ts'
import { post } from '#web/lib/http.ts'
import { listQuery } from '#web/records/list-query.ts'

// All that the page says to the server about founders.

export const founderLists = ['founders', 'list'] as const

export const founderList = (search: string) =>
  listQuery<Founder>({ key: founderLists, path: '/founders', search, failure: 'Failed to fetch founders' })

type CreatedFounder = Founder & { enrichedData?: FounderEnrichment }

export const createFounder = mutationOptions({
  mutationFn: (founder: FounderInput) => post<CreatedFounder>('/founders', founder),
  // Dropped, not refetched: the newest are first, so the list begins anew at its top.
  onSuccess: (_created, _input, _result, { client }) => client.removeQueries({ queryKey: founderLists }),
  meta: { failure: 'Failed to add founder' },
})

type FounderRefreshAnswer = z.infer<ReturnType<typeof refreshAnswer<typeof FounderEnrichment>>>

export const refreshFounder = (id: string) => post<FounderRefreshAnswer>(`/founders/${id}/refresh`)
