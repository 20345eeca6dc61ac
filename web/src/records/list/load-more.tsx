import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import classes from './record-list.module.css'
import { type Pages, useLoadMoreOnScroll } from './use-load-more-on-scroll.ts'

/** The end of a list: the button for the next page, which is fetched well before the button scrolls into view. */
export const LoadMore = ({ list, isLoading }: { list: Pages; isLoading: boolean }) => {
  const sentinel = useLoadMoreOnScroll(list)
  if (!list.hasNextPage) return null
  return (
    <div ref={sentinel} className={classes.more}>
      <LoadingButton variant="default" loading={isLoading} onClick={() => list.fetchNextPage()}>
        Load more
      </LoadingButton>
    </div>
  )
}
