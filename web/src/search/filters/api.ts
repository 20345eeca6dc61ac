import { queryOptions } from '@tanstack/react-query'
import { get } from '#web/lib/http.ts'

/** A fellow, under the public id of the account. */
export type Fellow = { id: string; name: string; email: string }

const KEY = 'fellows'

/** Fellows whose name or email matches. */
export const listFellows = (search: string) =>
  queryOptions({
    queryKey: [KEY, search],
    queryFn: ({ signal }) => get<Fellow[]>(`/fellows?${new URLSearchParams({ search })}`, { signal }),
  })

/** The fellow with this id, if there is one. */
export const getFellow = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'one', id],
    queryFn: async ({ signal }) =>
      (await get<Fellow[]>(`/fellows?${new URLSearchParams({ id })}`, { signal })).at(0) ?? null,
    staleTime: 5 * 60_000,
  })
