import { useEffect, useState } from 'react'

/** The least time that a loading state stays on screen, so that it does not flash. */
const SHOWN_AT_LEAST_MS = 150

/** Whether to show a loading state: while the data is pending and, once shown, for the least time. */
export function useLoadingState(isPending: boolean): boolean {
  const [wasPending, setWasPending] = useState(isPending)
  const [isFresh, setFresh] = useState(isPending)
  if (isPending !== wasPending) {
    setWasPending(isPending)
    if (isPending) setFresh(true)
  }
  useEffect(() => {
    if (!isFresh) return
    const timer = setTimeout(() => setFresh(false), SHOWN_AT_LEAST_MS)
    return () => clearTimeout(timer)
  }, [isFresh])
  return isPending || isFresh
}
