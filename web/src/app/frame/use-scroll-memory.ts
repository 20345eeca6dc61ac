import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** A new page begins at its top; going back finds the place that was left. */
export const useScrollMemory = () => {
  const places = useRef(new Map<string, number>())
  const { key, pathname } = useLocation()
  const isBack = useNavigationType() === 'POP'

  // biome-ignore lint/correctness/useExhaustiveDependencies: a search within the page replaces the key and must not scroll
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    window.scrollTo(0, isBack ? (places.current.get(key) ?? 0) : 0)
  }, [pathname])

  useLayoutEffect(() => {
    const remember = () => places.current.set(key, window.scrollY)
    if (!isBack) remember()
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [key, isBack])
}
