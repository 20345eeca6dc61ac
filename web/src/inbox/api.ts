import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InboxCount, InboxLine, InboxQuery } from '#contract/inbox.ts'
import { get, getPage, type Page } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { paths } from '#web/paths.ts'

export const inboxKey = ['inbox'] as const

const LINES_A_PAGE = 50

/** Which lines are shown. */
export type InboxView = Pick<InboxQuery, 'group' | 'state'>

/** What the address of the screen says. */
export const inboxViewIn = (parameters: URLSearchParams): InboxView => ({
  group: parameters.get('group') === 'news' ? 'news' : 'you',
  state: parameters.get('state') === 'done' ? 'done' : 'open',
})

/** The address of the screen. */
export const inboxPath = ({ group, state }: InboxView) => {
  const chosen = { ...(group === 'news' && { group }), ...(state === 'done' && { state }) }
  return `${paths.inbox}?${new URLSearchParams(chosen)}`.replace(/\?$/, '')
}

/** A line in a list of the page. */
export type Line = InboxLine & { id: string }

/** Events say when it changes. Only days to look again come by themselves. */
const COUNTS_FOR_MS = 600_000

/** The number of unread lines for the person, and whether there is news. Optional on every screen, so a failure is not shown. */
export const countInbox = queryOptions({
  queryKey: [...inboxKey, 'count'],
  queryFn: ({ signal }) => get<InboxCount>(`/inbox/count?${new URLSearchParams({ timeZone: timeZone() })}`, { signal }),
  staleTime: COUNTS_FOR_MS,
})

/** The newest first, a page at a time. */
export const listInbox = (view: InboxView) =>
  infiniteQueryOptions({
    queryKey: [...inboxKey, 'list', view] as const,
    queryFn: async ({ pageParam, signal }): Promise<Page<Line>> => {
      const page = await getPage<InboxLine>(pageParam, { signal })
      return { ...page, rows: page.rows.map((line) => ({ ...line, id: line.key })) }
    },
    initialPageParam: `/inbox?${new URLSearchParams({ limit: String(LINES_A_PAGE), timeZone: timeZone(), ...view })}`,
    getNextPageParam: (page: Page<Line>) => page.next,
    staleTime: 0,
    meta: { failure: 'Failed to fetch your inbox' },
  })
