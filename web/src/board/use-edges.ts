import { type RefObject, useEffect, useState } from 'react'

/** Where a row that scrolls sideways goes on: `before`, `after`, both, or undefined. */
export function useEdges(row: RefObject<HTMLElement | null>): string | undefined {
  const [edges, setEdges] = useState<string>()
  useEffect(() => {
    const element = row.current
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const scrolled = Math.abs(scrollLeft)
      const hidden = [scrolled > 1 && 'before', scrolled + clientWidth < scrollWidth - 1 && 'after'].filter(Boolean)
      setEdges(hidden.join(' ') || undefined)
    }
    // Also reports the first size.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [row])
  return edges
}
