import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { get } from '#web/lib/http.ts'
import type { RecordRow } from './record-row.ts'

/** One record by itself, such as while it is edited. */
export const recordQuery = <Row>(queryKey: QueryKey, path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => get<Row>(path, { signal }) })

/**
 * The newest record that is here under an address, or null. Only a hint: a failure is told to nobody, and what happens
 * elsewhere, such as the arrival of the very record that is being added, does not ask again.
 */
export const duplicateQuery = (path: string, address: Record<string, string>) =>
  queryOptions({
    queryKey: ['known', path, address],
    queryFn: async ({ signal }) => {
      const [known = null] = await get<RecordRow[]>(`${path}?${new URLSearchParams({ ...address, limit: '1' })}`, {
        signal,
      })
      return known
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
