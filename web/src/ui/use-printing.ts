import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** True while the page is drawn for printing. */
export const usePrinting = () => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    // flushSync, because the browser prints right after the event.
    window.addEventListener('beforeprint', () => flushSync(() => setPrinting(true)), { signal })
    window.addEventListener('afterprint', () => setPrinting(false), { signal })
    return () => ending.abort()
  }, [])
  return isPrinting
}
