import { mutationOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Finder } from '#contract/finder.ts'
import type { Kind } from '#contract/kinds.ts'
import { get, post } from '#web/lib/http.ts'
import { refetchLists, refetchRecord } from '#web/records/list-cache.ts'

/** The key of the finders of one record. Ids are unique over all kinds. */
export const findersKey = (id: string): QueryKey => ['finders', id]

/** The finders of a record, first finder first. Optional on the page, so a failure is not shown. */
export const listFinders = (id: string) =>
  queryOptions({
    queryKey: findersKey(id),
    queryFn: ({ signal }) => get<Finder[]>(`/records/${id}/finders`, { signal }),
  })

/** Adds the signed-in person to the finders of a record, once. It is then in My Records. */
export const addFinder = (kind: Kind, id: string) =>
  mutationOptions({
    mutationFn: () => post<Finder[]>(`/records/${id}/finders`),
    onSuccess: (finders, _input, _result, { client }) => {
      client.setQueryData(findersKey(id), finders)
      return Promise.all([refetchLists(client, kind, 'mine'), refetchRecord(client, kind, id)])
    },
    meta: { failure: 'Failed to add you to the finders' },
  })
