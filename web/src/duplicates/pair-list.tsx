import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef } from 'react'
import type { Page } from '#web/lib/http.ts'
import { CardSkeletons } from '#web/records/card-skeleton.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import listClasses from '#web/records/record-list.module.css'
import { useLoadMoreOnScroll } from '#web/records/use-load-more-on-scroll.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { useLoadingState } from '#web/ui/use-loading-state.ts'
import { focusBeside, VirtualList } from '#web/ui/virtual-list.tsx'
import type { Pair } from './api.ts'
import { PairCard } from './pair-card.tsx'

export type PairPages = UseInfiniteQueryResult<InfiniteData<Page<Pair>>>

type PairListProps = { kind: RecordKind; list: PairPages; nothing: ReactNode }

/** The pairs of a kind: loading, an error, nothing, or rows with a button for more. */
export function PairList({ kind, list, nothing }: PairListProps) {
  const place = useRef<HTMLUListElement>(null)
  const sentinel = useLoadMoreOnScroll(list)
  const isLoading = useLoadingState(list.isPending)
  const pages = list.data?.pages
  const rows = useMemo(
    () => pages?.flatMap(({ rows }) => rows.map((pair) => ({ id: `${pair.a.id} ${pair.b.id}`, pair }))),
    [pages],
  )
  if (isLoading) return <CardSkeletons label={`Loading duplicate ${kind.path}`} isSquare={kind.isSquare} />
  if (!rows)
    return (
      <ErrorState title={`The duplicate ${kind.path} could not be loaded`} error={list.error} retry={list.refetch} />
    )
  return (
    <>
      {rows.length === 0 && nothing}
      <VirtualList
        name={`duplicate ${kind.path}`}
        label={`Duplicate ${kind.path}`}
        ref={place}
        rows={rows}
        total={list.hasNextPage ? undefined : rows.length}
        isBusy={false}
      >
        {({ id, pair }) => <PairCard kind={kind} pair={pair} onGone={() => focusBeside(place.current, id)} />}
      </VirtualList>
      {list.hasNextPage && (
        <div ref={sentinel} className={listClasses.more}>
          <LoadingButton variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Load more
          </LoadingButton>
        </div>
      )}
    </>
  )
}
