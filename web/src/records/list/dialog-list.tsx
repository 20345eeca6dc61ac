import { Button, Skeleton } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import classes from './dialog-list.module.css'
import { useLoadMoreOnScroll } from './use-load-more-on-scroll.ts'

type DialogListProps = {
  ref?: Ref<HTMLElement>
  list: UseInfiniteQueryResult
  label: string
  loading: string
  failed: string
  older: string
  /** The expected number of rows: placeholders keep their space. With 0 the list counts as empty until it is loaded. */
  expected?: number
  /** False on a page where something follows the list: older rows come by the button alone. */
  loadsOnScroll?: boolean
  /** Shows the rows that the list leaves out, in place of older ones. */
  all?: { label: string; show: () => void } | undefined
  /** Shown if there are no rows. */
  nothing: { title: string; text: string } | undefined
  /** Undefined until the rows are loaded. */
  children: ReactNode[] | undefined
}

/** A list about one record, newest first: loading, an error, nothing, or rows with a button for older ones. */
export const DialogList = ({
  ref,
  list,
  label,
  loading,
  failed,
  older,
  expected = 3,
  loadsOnScroll = true,
  all,
  nothing,
  children,
}: DialogListProps) => {
  const sentinel = useLoadMoreOnScroll(list)
  const isLoading = useLoadingState(list.isPending && expected > 0)
  const rows = children ?? (list.isPending ? [] : undefined)
  return (
    // A scrollable region must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section ref={ref} className={classes.root} aria-label={label} tabIndex={0}>
      {isLoading && <Loading label={loading} rows={Math.min(expected, 6)} />}
      {!isLoading && !rows && (
        <div role="alert" className={classes.message}>
          <p>{failed}</p>
          <RetryButton retry={list.refetch} />
        </div>
      )}
      {!isLoading && rows?.length === 0 && nothing && (
        <div className={classes.message}>
          <p className={classes.messageTitle}>{nothing.title}</p>
          <p>{nothing.text}</p>
        </div>
      )}
      <ol className={classes.rows}>{!isLoading && rows}</ol>
      {all && (
        <div className={classes.more}>
          <Button variant="default" onClick={all.show}>
            {all.label}
          </Button>
        </div>
      )}
      {!all && list.hasNextPage && (
        <div ref={loadsOnScroll ? sentinel : null} className={classes.more}>
          <LoadingButton variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {older}
          </LoadingButton>
        </div>
      )}
    </section>
  )
}

const Loading = ({ label, rows }: { label: string; rows: number }) => (
  <div role="status" aria-busy="true" aria-label={label} className={classes.loading}>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
      <Skeleton key={row} height={44} />
    ))}
  </div>
)
