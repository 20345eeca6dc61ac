import type { ReactNode } from 'react'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import { addTotals, exactTotal } from '#web/records/totals.ts'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { type DrawnRows, PagedList, type PagesOf } from './paged-list.tsx'
import classes from './record-list.module.css'

type RecordListProps<Row> = {
  list: PagesOf<Row>
  isEmptied: boolean
  noun: { one: string; many: string }
  /** Whether the pictures are square. */
  isSquare: boolean
  searchBox: ReactNode
  /** Beside the number of results. */
  tools?: ReactNode
  /** Between the search box and the rows. */
  chosen?: ReactNode
  /** Below the rows, once all of them are shown. */
  below?: ReactNode
  draw?: ((shown: DrawnRows<Row>) => ReactNode) | undefined
  nothing: ReactNode
  children: (row: Row) => ReactNode
}

/** A list of records below its search box and the number of results. */
export const RecordList = <Row extends { id: string }>({
  searchBox,
  tools,
  chosen,
  below,
  noun,
  isSquare,
  ...others
}: RecordListProps<Row>) => {
  const { list } = others
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
        {tools}
      </div>
      {chosen}
      <PagedList
        {...others}
        name={noun.many}
        total={exactTotal([total])}
        failed={`The ${noun.many} could not be loaded`}
        skeletons={<CardSkeletons label={`Loading ${noun.many}`} isSquare={isSquare} />}
      />
      {pages && !list.hasNextPage && !list.isPlaceholderData && below}
    </>
  )
}

const countOf = (total: string, noun: { one: string; many: string }) =>
  `${addTotals([total])} ${total === '1' ? noun.one : noun.many}`
