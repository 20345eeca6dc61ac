import { useEffect, useState } from 'react'

/** How long a loading state stays on screen at least, so that nothing flashes. */
const SHOWN_AT_LEAST_MS = 150

/** Whether to show that something loads: while it is pending and, once shown, for its least time. */
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
