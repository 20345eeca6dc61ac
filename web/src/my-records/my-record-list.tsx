import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { CardSkeletons } from '#web/records/card-skeleton.tsx'
import listClasses from '#web/records/record-list.module.css'
import { useLoadMoreOnScroll } from '#web/records/use-load-more-on-scroll.ts'
import { Failed } from '#web/ui/failed.tsx'
import { mergeNewestFirst } from './merge-newest-first.ts'

/** A record in the list, whatever its kind: its place, and how its card is drawn. */
export type Entry = { id: string; createdAt: string; draw: (onDeleted: () => void) => ReactNode }

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
  /** Undefined as long as nothing is known. */
  entries: Entry[] | undefined
  /** Shown whether or not they are found. */
  others: Entry[]
}

type MyRecordListProps = { parts: Part[]; nothing: ReactNode }

/** Several lists as one, newest first: pending, then an error, then nothing, then rows and the way to more of them. */
export const MyRecordList = ({ parts, nothing }: MyRecordListProps) => {
  const place = useRef<HTMLUListElement>(null)
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

  if (lists.some((list) => list.isPending)) return <CardSkeletons count={6} label="Loading your records" />
  const found = parts.flatMap(({ list, entries }) => (entries ? { rows: entries, hasMore: list.hasNextPage } : []))
  if (found.length < parts.length) {
    const retry = () => {
      for (const { list, entries } of parts) if (!entries) list.refetch()
    }
    return <Failed title="Your records could not be loaded" isRetrying={isFetching} retry={retry} />
  }

  const others = parts.flatMap(({ others }) => others)
  const shown = mergeNewestFirst(found, others)
  const focusList = () => place.current?.focus({ preventScroll: true })
  return (
    <>
      {shown.length === 0 && nothing}
      <ul
        ref={place}
        tabIndex={-1}
        aria-label="Your records"
        className={listClasses.list}
        aria-busy={lists.some((list) => list.isPlaceholderData)}
      >
        {shown.map((entry) => (
          <li key={entry.id} className={listClasses.item}>
            {entry.draw(focusList)}
          </li>
        ))}
      </ul>
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
