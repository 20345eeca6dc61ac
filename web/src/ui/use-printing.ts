import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** True while the page is drawn for paper, for what the screen shows only in part. */
export const usePrinting = () => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    // At once: the browser does not wait for another round of drawing.
    window.addEventListener('beforeprint', () => flushSync(() => setPrinting(true)), { signal })
    window.addEventListener('afterprint', () => setPrinting(false), { signal })
    return () => ending.abort()
  }, [])
  return isPrinting
}
