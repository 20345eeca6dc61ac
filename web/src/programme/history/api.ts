import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import type { PastAct } from '#contract/programme-history.ts'
import { getFile, getPage, type Page } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const PATH = '/programme/history'
const A_PAGE = 50

/** Newest first, a page at a time. `query` has the filters of the address. */
export const listPastActs = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['programme', 'history', query],
    queryFn: ({ pageParam, signal }) => getPage<PastAct>(pageParam, { signal }),
    initialPageParam: `${PATH}?${new URLSearchParams([...new URLSearchParams(query), ['limit', String(A_PAGE)]])}`,
    getNextPageParam: (page: Page<PastAct>) => page.next,
    staleTime: 0,
    meta: { failure: 'Failed to fetch the history' },
  })

export const savePastActs = mutationOptions({
  mutationFn: async (query: string) => saveFile(await withIdentity(() => getFile(`${PATH}/export?${query}`))),
  meta: { failure: 'Failed to export' },
})
