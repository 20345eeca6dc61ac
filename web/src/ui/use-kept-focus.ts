import { useLayoutEffect, useRef } from 'react'
import { focusWhenLost } from './focus.ts'

/** A `ref` for a button: browsers take the focus from a disabled one, which gets it back once it is enabled. */
export function useKeptFocus(isDisabled: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isDisabled) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) focusWhenLost(button.current)
  }, [isDisabled])
  return button
}
