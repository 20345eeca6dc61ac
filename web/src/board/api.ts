import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Status } from '#contract/status.ts'
import { BASE, get, getPage, type Page } from '#web/lib/http.ts'
import { boardKey } from '#web/pipeline/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

type Named = { id: string; name: string }

/** A column of the board. `next` is the path of its next page. */
export type Column = { stage: Named | null; count: number; records: RecordRow[]; next?: string | undefined }

export const columnKey = ({ stage }: Pick<Column, 'stage'>) => stage?.id ?? 'none'

/** The board of a kind. A refetch loads as many rows of each column as were there. */
export const getBoard = (kind: RecordKind, status: Status) =>
  queryOptions({
    queryKey: [...boardKey, kind.name, status] as const,
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<Column[]>(queryKey)
      const columns = await get<Column[]>(`/pipeline?${new URLSearchParams({ kind: kind.name, status })}`, { signal })
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
export const loadMoreOf = (kind: RecordKind, status: Status, key: string) => ({
  mutationFn: (column: Column) => getPage<RecordRow>(column.next ?? ''),
  onSuccess: (page: Page<RecordRow>, before: Column, _result: unknown, { client }: { client: QueryClient }) => {
    const { queryKey } = getBoard(kind, status)
    client.setQueryData(queryKey, (columns: Column[] | undefined) =>
      columns?.map((column) =>
        columnKey(column) === key && column.next === before.next ? withRows(column, page) : column,
      ),
    )
    return client.isFetching({ queryKey }) > 0 ? client.invalidateQueries({ queryKey }) : undefined
  },
  meta: { failure: 'More could not be loaded' },
})
