import { type FocusEvent, useEffect, useRef } from 'react'
import { focusWhenLost } from './focus.ts'

/** Props of a button that browsers take the focus from when it is disabled: it gets the focus back once it is enabled. */
export function useKeptFocus(isDisabled: boolean) {
  const ref = useRef<HTMLButtonElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    if (isDisabled || !hasFocus.current) return
    focusWhenLost(ref.current)
    hasFocus.current = document.activeElement === ref.current
  }, [isDisabled])
  return {
    ref,
    onFocus: () => {
      hasFocus.current = true
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLButtonElement>) => {
      if (!currentTarget.disabled) hasFocus.current = false
    },
  }
}
