import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { get } from '#web/lib/http.ts'

/** One record by itself, such as while it is edited. */
export const recordQuery = <Row>(queryKey: QueryKey, path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => get<Row>(path, { signal }) })
