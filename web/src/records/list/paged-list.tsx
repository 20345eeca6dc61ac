import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useMemo } from 'react'
import type { Page } from '#web/lib/http.ts'
import { rowsOf } from '#web/records/cache/merge-first-page.ts'
import { VirtualList } from '#web/ui/lists/virtual-list.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { LoadMore } from './load-more.tsx'

export type PagesOf<Row> = UseInfiniteQueryResult<InfiniteData<Page<Row>>>

type PagedListProps<Row> = {
  list: PagesOf<Row>
  /** What is listed, as in `founders`. Lists with the same name share the measured heights of their rows. */
  name: string
  label?: string
  /** The number of rows, including those not loaded yet, if they have been counted. */
  total?: number | undefined
  ref?: Ref<HTMLUListElement>
  /** The title when the rows could not be loaded. */
  failed: string
  skeletons: ReactNode
  nothing: ReactNode
  /** Shown above the rows, if there are any. */
  about?: ReactNode
  isEmptied?: boolean
  /** Draws the rows in another way than one below the other. */
  draw?: ((shown: DrawnRows<Row>) => ReactNode) | undefined
  children: (row: Row) => ReactNode
}

export type DrawnRows<Row> = { rows: Row[]; total: number | undefined; isBusy: boolean }

/** A list in pages: loading, an error, nothing, or rows with a button for more. */
export function PagedList<Row extends { id: string }>({
  list,
  failed,
  skeletons,
  nothing,
  about,
  isEmptied = false,
  total,
  draw,
  ...shown
}: PagedListProps<Row>) {
  const isLoading = useLoadingState(list.isPending)
  const pages = list.data?.pages
  const rows = useMemo(() => pages && rowsOf(pages), [pages])
  if (isLoading) return skeletons
  if (!rows) return <ErrorState title={failed} error={list.error} retry={list.refetch} />
  const drawn = {
    rows,
    total: total ?? (list.hasNextPage ? undefined : rows.length),
    isBusy: list.isPlaceholderData,
  }
  return (
    <>
      {rows.length === 0 ? nothing : about}
      {draw && rows.length > 0 ? draw(drawn) : <VirtualList {...shown} {...drawn} cover={isEmptied && skeletons} />}
      <LoadMore list={list} isLoading={list.isFetchingNextPage} />
    </>
  )
}
