import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import type { PastAct } from '#contract/programme-history.ts'
import { getFile, getPage, type Page } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const PATH = '/programme/history'
const A_PAGE = 50

/** The filters of the address, whose days are those of the viewer. */
const withZone = (query: string, ...others: [string, string][]) =>
  new URLSearchParams([...new URLSearchParams(query), ['timeZone', timeZone()], ...others])

/** Newest first, a page at a time. `query` has the filters of the address. */
export const listPastActs = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['programme', 'history', query],
    queryFn: ({ pageParam, signal }) => getPage<PastAct>(pageParam, { signal }),
    initialPageParam: `${PATH}?${withZone(query, ['limit', String(A_PAGE)])}`,
    getNextPageParam: (page: Page<PastAct>) => page.next,
    staleTime: 0,
    meta: { failure: 'Failed to fetch the history' },
  })

export const savePastActs = mutationOptions({
  mutationFn: async (query: string) => saveFile(await withIdentity(() => getFile(`${PATH}/export?${withZone(query)}`))),
  meta: { failure: 'Failed to export' },
})
