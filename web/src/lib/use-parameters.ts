import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/**
 * The parameters in the address, and a function that changes some of them; '' removes one. Unlike with `useSearchParams`
 * alone, a change does not undo one that is not drawn yet.
 */
export function useParameters() {
  const [parameters, setParameters] = useSearchParams()
  const latest = useRef(parameters)
  useEffect(() => {
    latest.current = parameters
  }, [parameters])
  const change = (changes: { [name: string]: string | undefined }, options?: Parameters<typeof setParameters>[1]) => {
    const changed = new URLSearchParams(latest.current)
    for (const [name, value = ''] of Object.entries(changes))
      if (value === '') changed.delete(name)
      else changed.set(name, value)
    latest.current = changed
    setParameters(changed, options)
  }
  return [parameters, change] as const
}
