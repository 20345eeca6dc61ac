import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Page } from '#web/lib/http.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
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
  nothing: ReactNode
  children: (row: Row) => ReactNode
}

/** Every list of records: pending, then an error, then nothing, then rows and the way to more of them. */
export const RecordList = <Row extends { id: string }>({
  list,
  isEmptied,
  noun,
  nothing,
  children,
}: RecordListProps<Row>) => {
  const sentinel = useLoadMoreOnScroll(list)
  const isLoading = useLoadingState(list.isPending)
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages])
  const skeletons = <CardSkeletons label={`Loading ${noun.many}`} />

  if (isLoading) return skeletons
  if (!rows)
    return (
      <ErrorState title={`The ${noun.many} could not be loaded`} isRetrying={list.isFetching} retry={list.refetch} />
    )

  const total = pages?.[0]?.total ?? String(rows.length)
  return (
    <>
      <p role="status" className={classes.count}>
        {countOf(total, noun)}
      </p>
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
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  )
}

const countOf = (total: string, noun: { one: string; many: string }) =>
  `${addTotals([total])} ${total === '1' ? noun.one : noun.many}`
