import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Page } from '#web/lib/http.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { useLoadingState } from '#web/ui/use-loading-state.ts'
import { VirtualList } from '#web/ui/virtual-list.tsx'
import { CardSkeletons } from './card-skeleton.tsx'
import classes from './record-list.module.css'
import { addTotals, exactTotal } from './totals.ts'
import { useLoadMoreOnScroll } from './use-load-more-on-scroll.ts'

type RecordListProps<Row> = {
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  isEmptied: boolean
  noun: { one: string; many: string }
  /** Whether the pictures are square. */
  isSquare: boolean
  searchBox: ReactNode
  nothing: ReactNode
  children: (row: Row) => ReactNode
}

/** A list of records below its search box and the number of results. */
export const RecordList = <Row extends { id: string }>({ searchBox, ...others }: RecordListProps<Row>) => {
  const { list, noun } = others
  const isLoading = useLoadingState(list.isPending)
  const pages = list.data?.pages
  const total = pages && (pages[0]?.total ?? String(pages.flatMap(({ rows }) => rows).length))
  return (
    <>
      <div className={classes.bar}>
        {searchBox}
        <p role="status" className={classes.count}>
          {total !== undefined && !isLoading && countOf(total, noun)}
        </p>
      </div>
      <Rows {...others} isLoading={isLoading} total={total} />
    </>
  )
}

type RowsProps<Row> = Omit<RecordListProps<Row>, 'searchBox'> & { isLoading: boolean; total: string | undefined }

/** Loading, an error, nothing, or rows with a button for more. */
const Rows = <Row extends { id: string }>({
  list,
  isLoading,
  isEmptied,
  total,
  noun,
  isSquare,
  nothing,
  children,
}: RowsProps<Row>) => {
  const sentinel = useLoadMoreOnScroll(list)
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages])
  const skeletons = <CardSkeletons label={`Loading ${noun.many}`} isSquare={isSquare} />

  if (isLoading) return skeletons
  if (!rows)
    return <ErrorState title={`The ${noun.many} could not be loaded`} error={list.error} retry={list.refetch} />

  return (
    <>
      {rows.length === 0 && nothing}
      <VirtualList
        name={noun.many}
        rows={rows}
        total={exactTotal([total])}
        isBusy={list.isPlaceholderData}
        cover={isEmptied && skeletons}
      >
        {children}
      </VirtualList>
      {list.hasNextPage && (
        <div ref={sentinel} className={classes.more}>
          <LoadingButton variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Load more
          </LoadingButton>
        </div>
      )}
    </>
  )
}

const countOf = (total: string, noun: { one: string; many: string }) =>
  `${addTotals([total])} ${total === '1' ? noun.one : noun.many}`
