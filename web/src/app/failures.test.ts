import { notifications, notificationsStore } from '@mantine/notifications'
import type { MutationOptions } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { kindNamed } from '#contract/kinds.ts'
import { logout } from '#web/auth/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { addNote, deleteNote, noteList } from '#web/notes/api.ts'
import { createRecord, listRecords } from '#web/records/api.ts'
import { allRecords, myRecords } from '#web/records/cache/record-query.ts'
import { queryClient } from './query-client.ts'

// Section 8 of the specification: the messages of failed calls. e2e/messages.journey.ts has those of the calls that a
// screen makes itself.

const [founder, company] = [kindNamed('founder'), kindNamed('company')]
const noted = { kind: founder, id: 'one' }

const change = <Input>(options: MutationOptions<never, Error, Input> | object, input: Input) =>
  queryClient
    .getMutationCache()
    .build(queryClient, options as MutationOptions<unknown, Error, Input>)
    .execute(input)
const list = (options: object) =>
  queryClient.fetchInfiniteQuery(options as Parameters<typeof queryClient.fetchInfiniteQuery>[0])

const values = { key: 'key', values: { name: 'Ada' } }
const MINE = 'Failed to fetch your records. Please try refreshing the page.'

const CALLS: [sentence: string, call: () => Promise<unknown>][] = [
  ['Failed to fetch dashboard data', () => queryClient.fetchQuery(dashboard)],
  ['Failed to fetch founders', () => list(listRecords(founder, allRecords))],
  ['Failed to fetch companies', () => list(listRecords(company, allRecords))],
  [MINE, () => list(listRecords(founder, myRecords))],
  [MINE, () => list(listRecords(company, myRecords))],
  ['Failed to load notes', () => list(noteList(noted))],
  [
    'Failed to add note',
    () =>
      change(addNote(noted, 'ada@mit.edu'), { typed: { text: 'A note', mentions: [] }, input: { content: 'A note' } }),
  ],
  ['Failed to delete note', () => change(deleteNote(noted), 'two')],
  ['Failed to add founder', () => change(createRecord(founder), values)],
  ['Failed to add company', () => change(createRecord(company), values)],
  ['Failed to logout', () => change(logout, { account: 'ada', text: 'discard' as const })],
]

/** What the toasts on the screen say. */
const shown = () =>
  notificationsStore
    .getState()
    .notifications.map(({ message }) => renderToStaticMarkup(message).replaceAll(/<[^>]*>/g, ''))

const answer = (body: object) => vi.stubGlobal('fetch', async () => Response.json(body, { status: 400 }))

beforeEach(() => {
  vi.stubGlobal('document', { cookie: '' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  notifications.clean()
  queryClient.clear()
})

describe('A failed call', () => {
  it.each(CALLS)("shows %s, which the server's message replaces", async (sentence, call) => {
    answer({})
    await expect(call()).rejects.toThrow()
    expect(shown()).toEqual([sentence])
    notifications.clean()
    queryClient.clear()
    answer({ error: 'The cellar is under water.' })
    await expect(call()).rejects.toThrow()
    expect(shown()).toEqual(['The cellar is under water.'])
  })

  it.each([
    ['offline', false, []],
    ['online', true, ['Failed to fetch dashboard data']],
  ])('over data that is shown says when %s, where a bar says so offline: %j', async (_, onLine, sentences) => {
    queryClient.setQueryData(dashboard.queryKey, {} as never)
    vi.stubGlobal('navigator', { onLine })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(queryClient.fetchQuery({ ...dashboard, staleTime: 0, retry: false })).rejects.toThrow()
    expect(shown()).toEqual(sentences)
  })
})
