import { useIntersection } from '@mantine/hooks'
import { useEffect } from 'react'

export type Pages = {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The distance below the window at which the next page is fetched, in window heights. */
const AHEAD = '200%'

/** A ref for the element at the end of a list. Well before it scrolls into view, the next page is fetched. */
export const useLoadMoreOnScroll = ({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages) => {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: `${AHEAD} 0px` })
  const isNear = entry?.isIntersecting ?? false

  // After a failure, only the button fetches the page again.
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError) fetchNextPage()
  }, [isNear, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  return ref
}
