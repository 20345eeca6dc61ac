import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { Follow } from '#contract/follow.ts'
import type { Mark } from '#contract/inbox.ts'
import { get, post, put } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { searchesKey } from '#web/searches/api.ts'
import { type InboxView, inboxKey, type Line, listInbox } from './api.ts'

/** Lines by their keys, or all until the time of the answer that showed them. */
export type Marking = { mark: Mark } & ({ keys: string[]; seenUntil: string | null | undefined } | { until: string })

export const markingKey = [...inboxKey, 'mark'] as const

export const markLines = mutationOptions({
  mutationKey: markingKey,
  mutationFn: ({ mark, ...chosen }: Marking) => {
    const [body, seenUntil] =
      'keys' in chosen ? [{ keys: chosen.keys }, chosen.seenUntil] : [{ until: chosen.until }, undefined]
    return post<void>(`/inbox/${mark}`, { ...body, timeZone: timeZone() }, { seenUntil })
  },
  onSuccess: (_nothing, marking, _result, { client }) => showMarked(client, marking),
  onSettled: (_nothing, _failure, _marking, _result, { client }) => refetchInbox(client),
  meta: { failure: 'Your inbox could not be changed' },
})

/** What is read in the inbox is not new in the row of searches either. */
export const refetchInbox = (client: QueryClient) =>
  Promise.all([inboxKey, searchesKey].map((queryKey) => client.invalidateQueries({ queryKey })))

/** Shows what was marked before the lists are fetched again. */
function showMarked(client: QueryClient, marking: Marking) {
  if (!('keys' in marking)) return
  const { mark, keys } = marking
  for (const group of ['you', 'news'] as const)
    for (const state of ['open', 'done'] as const)
      client.setQueryData(
        listInbox({ group, state }).queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, rows: withMark(page.rows, { mark, keys, state }) })),
          },
      )
}

type Marked = { mark: Mark; keys: string[]; state: InboxView['state'] }

/** The lines of a list once some of them are marked: those that leave it are gone. */
export const withMark = (lines: Line[], { mark, keys, state }: Marked): Line[] => {
  if (mark === (state === 'open' ? 'done' : 'reopen')) return lines.filter(({ key }) => !keys.includes(key))
  if (mark !== 'read' && mark !== 'unread') return lines
  return lines.map((line) => (keys.includes(line.key) ? { ...line, isRead: mark === 'read' } : line))
}

export const getFollow = (id: string) => get<Follow>(`/records/${id}/follow`)

export const putFollow = (id: string, state: Follow['state']) => put<Follow>(`/records/${id}/follow`, { state })
