import { useIntersection } from '@mantine/hooks'
import { useEffect } from 'react'

type Pages = {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** How far ahead of the window, in heights of it, a page is fetched. */
const AHEAD = '200%'

/** A ref for what stands at the end of a list: well before it is scrolled into view, the next page is fetched. */
export const useLoadMoreOnScroll = ({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages) => {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: `${AHEAD} 0px` })
  const isNear = entry?.isIntersecting ?? false

  // After a failure it is the person's turn, by the button.
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError) fetchNextPage()
  }, [isNear, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  return ref
}
