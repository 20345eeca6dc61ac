import { Paper, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CHANGES_DAYS } from '#contract/changes.ts'
import listClasses from '#web/records/record-list.module.css'
import { useLoadMoreOnScroll } from '#web/records/use-load-more-on-scroll.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { useLoadingState } from '#web/ui/use-loading-state.ts'
import { VirtualList } from '#web/ui/virtual-list.tsx'
import { listChanges } from './api.ts'
import { ChangeItem } from './change-item.tsx'
import classes from './changes.module.css'

/** What fellows have merged, marked as not the same and imported, with the undo of each. */
export function Changes() {
  const list = useInfiniteQuery(listChanges)
  const sentinel = useLoadMoreOnScroll(list)
  const isLoading = useLoadingState(list.isPending)
  const pages = list.data?.pages
  const rows = useMemo(() => pages?.flatMap(({ rows }) => rows), [pages])
  if (isLoading) return <Skeletons />
  if (!rows)
    return <ErrorState title="Recent changes could not be loaded" error={list.error} retry={() => list.refetch()} />
  if (rows.length === 0) return <Nothing />
  return (
    <>
      <p className={classes.about}>
        Merges, pairs marked as not the same, and imports of the last {CHANGES_DAYS} days.
      </p>
      <VirtualList
        name="changes"
        label="Recent changes"
        rows={rows}
        total={list.hasNextPage ? undefined : rows.length}
        isBusy={false}
      >
        {(change) => <ChangeItem change={change} />}
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

const Nothing = () => (
  <EmptyState
    icon={<IconHistory size={28} stroke={1.5} />}
    title="No recent changes"
    text={`Merges, pairs marked as not the same and imports of the last ${CHANGES_DAYS} days appear here, with a way to undo them.`}
  />
)

const places = [0, 1, 2, 3]

const Skeletons = () => (
  <div role="status" aria-label="Loading recent changes" aria-busy="true" className="stack-12">
    {places.map((place) => (
      <Paper key={place} withBorder className={classes.root}>
        <div className={classes.text}>
          <Skeleton height={14} my={5} width="min(70%, 420px)" />
          <Skeleton height={10} my={5} width="min(30%, 160px)" />
        </div>
      </Paper>
    ))}
  </div>
)
