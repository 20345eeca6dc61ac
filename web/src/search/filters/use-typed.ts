import { useState } from 'react'

/** A value while it is typed, which follows the filter when that changes elsewhere. */
export function useTyped(value: string) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    setTyped(value)
  }
  return [typed, setTyped] as const
}
