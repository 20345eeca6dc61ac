import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { focusWhenShown } from '#web/ui/focus.ts'

type Added = { id: string; name: string }

/** The record that was just added, until its list is left. Its card takes the focus once. */
export const useAdded = () => {
  const { state } = useLocation()
  const [added] = useState((state as { added?: Added } | null)?.added)
  const isFocused = useRef(false)
  const focusCard = (card: HTMLElement | null) => {
    if (!card || isFocused.current) return
    isFocused.current = true
    // Someone who is typing already goes on.
    if (!document.activeElement?.matches('input, textarea')) focusWhenShown(card)
  }
  return { added, slotsOf: ({ id }: { id: string }) => (id === added?.id ? { ref: focusCard } : {}) }
}
