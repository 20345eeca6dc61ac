import { queryOptions } from '@tanstack/react-query'
import type { Fellow } from '#contract/fellow.ts'
import { get } from '#web/lib/http.ts'

/** In place of an id: records that have no fellow. */
export const NONE = 'none'

export const fellowsKey = ['fellows'] as const

/** Fellows whose name or email matches. */
export const listFellows = (search: string) =>
  queryOptions({
    queryKey: [...fellowsKey, search],
    queryFn: ({ signal }) => findFellows(search, signal),
  })

export const findFellows = (search: string, signal?: AbortSignal) =>
  get<Fellow[]>(`/fellows?${new URLSearchParams({ search })}`, { signal })

/** The fellow with this id, if there is one. */
export const getFellow = (id: string) =>
  queryOptions({
    queryKey: [...fellowsKey, 'one', id],
    queryFn: async ({ signal }) =>
      (await get<Fellow[]>(`/fellows?${new URLSearchParams({ id })}`, { signal })).at(0) ?? null,
    staleTime: 5 * 60_000,
  })
