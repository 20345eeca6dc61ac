import { useEffect, useState } from 'react'

/** State that gets its value after mounting: a modal returns the focus to where it was before `opened` became true. */
export function useAfterMount<Value>(value: Value) {
  const state = useState<Value>()
  const [, set] = state
  useEffect(() => set(value), [value])
  return state
}
