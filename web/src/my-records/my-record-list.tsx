import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useRef } from 'react'
import { CardSkeletons } from '#web/records/card-skeleton.tsx'
import listClasses from '#web/records/record-list.module.css'
import { exactTotal } from '#web/records/totals.ts'
import { useLoadMoreOnScroll } from '#web/records/use-load-more-on-scroll.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { VirtualList } from '#web/ui/virtual-list.tsx'
import { mergeNewestFirst } from './merge-newest-first.ts'

/** A record in the list, whatever its kind: its place, whether its card is a form just now, and how that is drawn. */
export type Entry = { id: string; createdAt: string; isForm: boolean; draw: (onDeleted: () => void) => ReactNode }

type Part = {
  list: {
    isPending: boolean
    isFetching: boolean
    isPlaceholderData: boolean
    hasNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
  }
  total: string | null | undefined
  /** Undefined as long as nothing is known. */
  entries: Entry[] | undefined
  /** Shown whether or not they are found. */
  others: Entry[]
}

type MyRecordListProps = { parts: Part[]; nothing: ReactNode }

const isForm = (entry: Entry) => entry.isForm

/** Several lists as one, newest first: pending, then an error, then nothing, then rows and the way to more of them. */
export const MyRecordList = ({ parts, nothing }: MyRecordListProps) => {
  const place = useRef<HTMLUListElement>(null)
  const draw = useCallback((entry: Entry) => entry.draw(() => place.current?.focus({ preventScroll: true })), [])
  const lists = parts.map(({ list }) => list)
  const isFetching = lists.some((list) => list.isFetching)
  const unfinished = lists.filter((list) => list.hasNextPage)
  const fetchNextPage = () => {
    for (const list of unfinished) list.fetchNextPage()
  }
  const sentinel = useLoadMoreOnScroll({
    hasNextPage: unfinished.length > 0,
    isFetching,
    isFetchNextPageError: lists.some((list) => list.isFetchNextPageError),
    fetchNextPage,
  })

  if (lists.some((list) => list.isPending)) return <CardSkeletons label="Loading your records" />
  const found = parts.flatMap(({ list, entries }) => (entries ? { rows: entries, hasMore: list.hasNextPage } : []))
  if (found.length < parts.length) {
    const retry = () => {
      for (const { list, entries } of parts) if (!entries) list.refetch()
    }
    return <ErrorState title="Your records could not be loaded" isRetrying={isFetching} retry={retry} />
  }

  const others = parts.flatMap(({ others }) => others)
  const shown = mergeNewestFirst(found, others)
  return (
    <>
      {shown.length === 0 && nothing}
      <VirtualList
        name="my records"
        label="Your records"
        ref={place}
        rows={shown}
        total={exactTotal(parts.map(({ total }) => total))}
        isBusy={lists.some((list) => list.isPlaceholderData)}
        isKept={isForm}
      >
        {draw}
      </VirtualList>
      {unfinished.length > 0 && (
        <div ref={sentinel} className={listClasses.more}>
          <Button variant="default" loading={isFetching} onClick={fetchNextPage}>
            Load more
          </Button>
        </div>
      )}
    </>
  )
}
