import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has been in the window, also in part. */
export function useInSight(ref: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    if (!ref.current || isInSight) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInSight(true)
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref, isInSight])
  return isInSight
}
