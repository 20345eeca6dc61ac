import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { BASE, get, getPage, type Page } from '#web/lib/http.ts'
import { boardKey } from '#web/pipeline/api.ts'
import { allRecords, parametersOf } from '#web/records/cache/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Place } from './board-place.ts'

type Named = { id: string; name: string }

/** A column of the board. `next` is the path of its next page. `isMore`: there are more than `count`. */
export type Column = {
  stage: Named | null
  count: number
  isMore?: true
  records: RecordRow[]
  next?: string | undefined
}

export const columnKey = ({ stage }: Pick<Column, 'stage'>) => stage?.id ?? 'none'

/** The board of a kind. A refetch loads as many rows of each column as were there. */
export const getBoard = ({ kind, status, filters }: Place) =>
  queryOptions({
    queryKey: [...boardKey, kind.name, status, filters] as const,
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<Column[]>(queryKey)
      const parameters = { kind: kind.name, status, ...parametersOf({ ...allRecords, filters }) }
      const columns = await get<Column[]>(`/pipeline?${new URLSearchParams(parameters)}`, { signal })
      return Promise.all(
        columns.map(async (column) => {
          const had = before?.find((one) => columnKey(one) === columnKey(column))?.records.length ?? 0
          let shown: Column = { ...column, next: column.next?.replace(BASE, '') }
          while (shown.next && shown.records.length < had) shown = await withNextPage(shown, signal)
          return shown
        }),
      )
    },
  })

const withNextPage = async (column: Column, signal?: AbortSignal): Promise<Column> =>
  withRows(column, await getPage<RecordRow>(column.next ?? '', { signal }))

function withRows(column: Column, page: Page<RecordRow>): Column {
  const known = new Set(column.records.map(({ id }) => id))
  const rows = page.rows.filter(({ id }) => !known.has(id))
  return { ...column, records: [...column.records, ...rows], next: page.next ?? undefined }
}

/** Loads the next page of one column. A refetch that has begun before would lose it, and begins again. */
export const loadMoreOf = (place: Place, key: string) => ({
  mutationFn: (column: Column) => getPage<RecordRow>(column.next ?? ''),
  onSuccess: (page: Page<RecordRow>, before: Column, _result: unknown, { client }: { client: QueryClient }) => {
    const { queryKey } = getBoard(place)
    client.setQueryData(queryKey, (columns: Column[] | undefined) =>
      columns?.map((column) =>
        columnKey(column) === key && column.next === before.next ? withRows(column, page) : column,
      ),
    )
    return client.isFetching({ queryKey }) > 0 ? client.invalidateQueries({ queryKey }) : undefined
  },
  meta: { failure: 'More could not be loaded' },
})
