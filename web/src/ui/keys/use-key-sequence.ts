import { useEffect, useState } from 'react'
import { charactersOf } from './characters.ts'
import { useSingleKey } from './use-single-key.ts'

/** In milliseconds, between both keys. */
const WITHIN = 1500

/** Runs the action when two keys are pressed one after the other, as single keys are. */
export function useKeySequence([first, second]: [first: string, second: string], action: () => void) {
  const [isBegun, setBegun] = useState(false)
  useSingleKey(first, () => setBegun(true))
  const end = () => {
    setBegun(false)
    action()
  }
  useSingleKey(second, isBegun ? end : undefined)
  useEffect(() => {
    if (!isBegun) return
    const stop = () => setBegun(false)
    const timer = setTimeout(stop, WITHIN)
    const stopByOthers = (event: KeyboardEvent) => {
      if (![first, second].some((key) => charactersOf(event).includes(key))) stop()
    }
    document.addEventListener('keydown', stopByOthers)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', stopByOthers)
    }
  }, [isBegun, first, second])
}
