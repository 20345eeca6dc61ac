import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { TokenSettings } from '#contract/tokens.ts'
import { get, put } from '#web/lib/http.ts'
import { peopleKey } from '#web/programme/keys.ts'

const TOKENS = '/programme/tokens'

export const getTokenSettings = queryOptions({
  queryKey: [...peopleKey, 'tokens'] as const,
  queryFn: ({ signal }) => get<TokenSettings>(TOKENS, { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to load who may have access tokens' },
})

/** People show how many they have. */
export const changeTokenSettings = mutationOptions({
  mutationFn: (input: TokenSettings) => put<TokenSettings>(TOKENS, input),
  onSuccess: (_saved, _input, _result, { client }) => client.invalidateQueries({ queryKey: peopleKey }),
  meta: { failure: 'This could not be saved' },
})
