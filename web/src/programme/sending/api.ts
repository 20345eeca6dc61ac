import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Channel, ChannelInput, ChannelPatch, ChannelTest } from '#contract/channels.ts'
import type { Sending, SendingInput, SentMail } from '#contract/sending.ts'
import type { NewWebhook, Webhook, WebhookInput, WebhookTest } from '#contract/webhooks.ts'
import { del, get, getPage, type Page, patch, post, put } from '#web/lib/http.ts'
import { sendingKey } from '#web/programme/keys.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const SENDING = '/programme/sending'
const CHANNELS = '/programme/channels'
const WEBHOOKS = '/programme/webhooks'

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

export const listChannels = queryOptions({
  queryKey: [...sendingKey, 'channels'] as const,
  queryFn: ({ signal }) => get<Channel[]>(CHANNELS, { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to load the channels' },
})

const refetchChannels = (client: QueryClient) => client.invalidateQueries({ queryKey: listChannels.queryKey })

export const createChannel = mutationOptions({
  mutationFn: ({ key, ...input }: ChannelInput & { key: string }) =>
    withIdentity(() => post<Channel>(CHANNELS, input, { key })),
  onSuccess: (_channel, _input, _result, { client }) => refetchChannels(client),
})

export const changeChannel = mutationOptions({
  mutationFn: ({ id, ...change }: ChannelPatch & { id: string }) =>
    withIdentity(() => patch<Channel>(`${CHANNELS}/${id}`, change)),
  onSuccess: (_channel, _change, _result, { client }) => refetchChannels(client),
  meta: { failure: 'The channel could not be changed' },
})

export const deleteChannel = mutationOptions({
  mutationFn: (id: string) => del(`${CHANNELS}/${id}`),
  onSuccess: (_nothing, _id, _result, { client }) => refetchChannels(client),
  meta: { failure: 'The channel could not be removed' },
})

export const testChannel = mutationOptions({
  mutationFn: (id: string) => post<ChannelTest>(`${CHANNELS}/${id}/test`),
  meta: { failure: 'The test could not be sent' },
})

export const listWebhooks = queryOptions({
  queryKey: [...sendingKey, 'webhooks'] as const,
  queryFn: ({ signal }) => get<Webhook[]>(WEBHOOKS, { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to load the webhooks' },
})

const refetchWebhooks = (client: QueryClient) => client.invalidateQueries({ queryKey: listWebhooks.queryKey })

export const createWebhook = mutationOptions({
  mutationFn: ({ key, ...input }: WebhookInput & { key: string }) =>
    withIdentity(() => post<NewWebhook>(WEBHOOKS, input, { key })),
  onSuccess: (_webhook, _input, _result, { client }) => refetchWebhooks(client),
})

export const confirmWebhook = mutationOptions({
  mutationFn: (id: string) => withIdentity(() => patch<Webhook>(`${WEBHOOKS}/${id}`, { isConfirmed: true })),
  onSuccess: (_webhook, _id, _result, { client }) => refetchWebhooks(client),
  meta: { failure: 'The webhook could not be changed' },
})

export const deleteWebhook = mutationOptions({
  mutationFn: (id: string) => del(`${WEBHOOKS}/${id}`),
  onSuccess: (_nothing, _id, _result, { client }) => refetchWebhooks(client),
  meta: { failure: 'The webhook could not be removed' },
})

export const testWebhook = mutationOptions({
  mutationFn: (id: string) => post<WebhookTest>(`${WEBHOOKS}/${id}/test`),
  meta: { failure: 'The test could not be sent' },
})
