import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type {
  InformationLetter,
  InformedAnswer,
  InformedInput,
  UninformedCount,
  UninformedFounder,
} from '#contract/informing.ts'
import { get, getFile, getPage, type Page, put } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { uninformedKey } from '#web/programme/keys.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const PATH = '/programme/privacy/uninformed'
const A_PAGE = 50

/** The first due first, a page at a time. */
export const listUninformed = infiniteQueryOptions({
  queryKey: uninformedKey,
  queryFn: ({ pageParam, signal }) => getPage<UninformedFounder>(pageParam, { signal }),
  initialPageParam: `${PATH}?limit=${A_PAGE}`,
  getNextPageParam: (page: Page<UninformedFounder>) => page.next,
  staleTime: 0,
  meta: { failure: 'Failed to fetch the founders to inform' },
})

/** A change of the list changes it too. */
export const countUninformed = queryOptions({
  queryKey: [...uninformedKey, 'count'],
  queryFn: ({ signal }) => get<UninformedCount>(`${PATH}/count`, { signal }),
  staleTime: 0,
})

export const getLetter = (id: string) =>
  queryOptions({
    queryKey: ['programme', 'letter', id],
    queryFn: ({ signal }) => get<InformationLetter>(`${PATH}/${id}/letter`, { signal }),
    staleTime: 0,
    meta: { failure: 'Failed to fetch the letter' },
  })

export const markInformed = mutationOptions({
  mutationFn: (input: InformedInput) => put<InformedAnswer>('/programme/privacy/informed', input),
  onSettled: (_answer, _failure, _input, _result, { client }) => client.invalidateQueries({ queryKey: uninformedKey }),
})

export const saveUninformed = mutationOptions({
  mutationFn: async () => saveFile(await withIdentity(() => getFile(`${PATH}/export`))),
  meta: { failure: 'Failed to export' },
})
