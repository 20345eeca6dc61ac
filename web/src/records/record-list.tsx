import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page } from '#web/lib/http.ts'
import { Failed } from '#web/ui/failed.tsx'
import { CardSkeletons } from './card-skeleton.tsx'
import classes from './record-list.module.css'
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
  const pages = list.data?.pages
  const rows = pages?.flatMap((page) => page.rows)

  if (isEmptied || list.isPending) return <CardSkeletons count={rows?.length ?? 6} label={`Loading ${noun.many}`} />
  if (!rows)
    return <Failed title={`The ${noun.many} could not be loaded`} isRetrying={list.isFetching} retry={list.refetch} />

  return (
    <>
      <p role="status" className={classes.count}>
        {countOf(pages?.[0]?.total ?? String(rows.length), noun)}
      </p>
      {rows.length === 0 && nothing}
      <ul className={classes.list} aria-busy={list.isPlaceholderData}>
        {rows.map((row) => (
          <li key={row.id} className={classes.item}>
            {children(row)}
          </li>
        ))}
      </ul>
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

const countOf = (total: string, noun: { one: string; many: string }) => {
  const count = Number.parseInt(total, 10)
  return `${count.toLocaleString('en')}${total.endsWith('+') ? '+' : ''} ${total === '1' ? noun.one : noun.many}`
}
