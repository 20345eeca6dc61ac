import { useState } from 'react'

/**
 * Whether a form may be sent: one that a link has filled in only once the person has touched it, that is pressed something in
 * it, changed it or left a field.
 */
export function useTouched(isOfLink: boolean) {
  const [isTouched, setTouched] = useState(false)
  const touch = () => setTouched(true)
  return {
    isTouched,
    touching: { onPointerDown: touch, onChange: touch, onBlur: touch },
    untouched: () => setTouched(false),
    maySend: isTouched || !isOfLink,
  }
}
