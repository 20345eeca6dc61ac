import { type ReactNode, useRef } from 'react'
import { mergeNewestFirst } from '#web/records/cache/merge-newest-first.ts'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import { LoadMore } from '#web/records/list/load-more.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { exactTotal } from '#web/records/totals.ts'
import { focusBeside, VirtualList } from '#web/ui/lists/virtual-list.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import type { MyRecordsOfKind } from './use-my-records.ts'

/** A record in the list, with the part of its kind. */
type Entry = { id: string; createdAt: string; record: RecordRow; part: MyRecordsOfKind }

type MyRecordListProps = {
  parts: MyRecordsOfKind[]
  nothing: ReactNode
  children: (record: RecordRow, part: MyRecordsOfKind, onDeleted: () => void) => ReactNode
}

const isForm = ({ id, part }: Entry) => part.edits.records.some((record) => record.id === id)

const entriesOf = (part: MyRecordsOfKind, records: RecordRow[]): Entry[] =>
  records.map((record) => ({ id: record.id, createdAt: record.createdAt, record, part }))

/** The lists of all kinds as one, newest first: loading, an error, nothing, or rows with a button for more. */
export function MyRecordList({ parts, nothing, children }: MyRecordListProps) {
  const place = useRef<HTMLUListElement>(null)
  const lists = parts.map(({ list }) => list)
  const isLoading = useLoadingState(lists.some((list) => list.isPending))
  const unfinished = lists.filter((list) => list.hasNextPage)
  const all = {
    hasNextPage: unfinished.length > 0,
    isFetching: lists.some((list) => list.isFetching),
    isFetchNextPageError: lists.some((list) => list.isFetchNextPageError),
    fetchNextPage: () => {
      for (const list of unfinished) list.fetchNextPage()
    },
  }

  if (isLoading)
    return <CardSkeletons label="Loading your records" isSquare={parts.every(({ kind }) => kind.isSquare)} />
  const failed = parts.filter(({ rows }) => !rows)
  if (failed.length > 0) {
    const retry = () => {
      for (const { list } of failed) list.refetch()
    }
    const error = failed[0]?.list.error
    return <ErrorState title="Your records could not be loaded" error={error} retry={retry} />
  }

  const found = parts.map((part) => ({ rows: entriesOf(part, part.rows ?? []), hasMore: part.list.hasNextPage }))
  const shown = mergeNewestFirst(
    found,
    parts.flatMap((part) => entriesOf(part, part.others)),
  )
  return (
    <>
      {shown.length === 0 && nothing}
      <VirtualList
        name="my records"
        label="Your records"
        ref={place}
        rows={shown}
        total={exactTotal(parts.map(({ foundTotal }) => foundTotal))}
        isBusy={lists.some((list) => list.isPlaceholderData)}
        isKept={isForm}
      >
        {({ id, record, part }) => children(record, part, () => focusBeside(place.current, id))}
      </VirtualList>
      <LoadMore list={all} isLoading={all.isFetching} />
    </>
  )
}
