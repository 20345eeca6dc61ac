import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Sending, SendingInput, SentMail } from '#contract/sending.ts'
import { get, getPage, type Page, put } from '#web/lib/http.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const SENDING = '/programme/sending'
const sendingKey = ['programme', 'sending'] as const

export const getSending = queryOptions({
  queryKey: sendingKey,
  queryFn: ({ signal }) => get<Sending>(SENDING, { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to load what is sent' },
})

export const changeSending = mutationOptions({
  mutationFn: (input: SendingInput) => withIdentity(() => put<Sending>(SENDING, input)),
  onSuccess: (saved, _input, _result, { client }) => client.setQueryData(getSending.queryKey, saved),
  meta: { failure: 'This could not be saved' },
})

/** What goes out by itself, and to whom. */
export const listMails = infiniteQueryOptions({
  queryKey: [...sendingKey, 'mails'] as const,
  queryFn: ({ pageParam, signal }) => getPage<SentMail>(pageParam, { signal }),
  initialPageParam: `${SENDING}/mails?limit=50`,
  getNextPageParam: (page: Page<SentMail>) => page.next,
  staleTime: 0,
  meta: { failure: 'Failed to load the mails' },
})
