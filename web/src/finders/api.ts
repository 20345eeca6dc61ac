import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Finder } from '#contract/finder.ts'
import type { Kind } from '#contract/kinds.ts'
import { del, get, post } from '#web/lib/http.ts'
import { partKey } from '#web/records/api.ts'
import { refetchLists, refetchRecord } from '#web/records/cache/list-cache.ts'
import { mayMove } from '#web/records/cache/record-query.ts'

/** The key of the finders of one record. */
export const findersKey = (id: string) => partKey(id, 'finders')

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
    onSuccess: (_finders, _input, _result, { client }) => refetchFound(client, kind, id),
    meta: { failure: 'Failed to add you to the finders' },
  })

/** Takes that back. */
export const deleteFinder = (kind: Kind, id: string) =>
  mutationOptions({
    mutationFn: () => del<void>(`/records/${id}/finders`),
    onSuccess: (_nothing, _input, _result, { client }) => refetchFound(client, kind, id),
    meta: { failure: 'Failed to take it back' },
  })

/** Suggestions in a form that is still open say who has met a person. */
const refetchFound = (client: QueryClient, kind: Kind, id: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: findersKey(id) }),
    client.invalidateQueries({ queryKey: ['similar'] }),
    refetchLists(client, kind, mayMove('finders')),
    refetchRecord(client, kind, id),
  ])
