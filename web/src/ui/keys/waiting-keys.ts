import { useLayoutEffect } from 'react'
import { hasModifier } from './characters.ts'
import { OWN_KEYS, singleKeys } from './use-single-key.ts'

// A key that belongs to a panel which is still loading waits for it, and all that follow it wait behind it.

/** What is loading. */
const loading = new Set<object>()
let waiting: { key: string; code: string; shiftKey: boolean }[] = []
let isReplaying = false

/** Keeps single keys until the component has gone or is no longer loading. */
export function useKeysWait(isLoading = true): void {
  useLayoutEffect(() => (isLoading ? holdKeys() : undefined), [isLoading])
}

/** Keeps single keys until the returned function is called. */
export function holdKeys(): () => void {
  const reason = {}
  loading.add(reason)
  return () => {
    loading.delete(reason)
    void replay()
  }
}

/** Two frames: the first draws what has loaded, and its effects have run by the second. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))

async function replay() {
  if (isReplaying) return
  isReplaying = true
  await drawn()
  while (loading.size === 0 && waiting.length > 0) {
    const [next, ...others] = waiting
    waiting = others
    if (next) press(next)
    await drawn()
  }
  isReplaying = false
}

function press(key: KeyboardEventInit) {
  const target = document.activeElement ?? document.body
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true })
  // A key of a script does not press a button.
  if (target.dispatchEvent(event) && key.key === 'Enter' && target instanceof HTMLButtonElement) target.click()
}

/** Called once, before other listeners of keys. */
export function keepKeysOfLoadingPanels(): void {
  const keep = (event: KeyboardEvent) => {
    const isHeld = loading.size > 0 || waiting.length > 0 || isReplaying
    if (!event.isTrusted || !isHeld || !singleKeys.areOn()) return
    if (event.key === 'Escape') waiting = []
    const { key, code, shiftKey, target } = event
    const isSingle = [...key].length === 1 && key !== ' ' && !hasModifier(event)
    // Enter belongs to the keys before it, and otherwise to what has the focus.
    const isTheirs = key === 'Enter' && waiting.length > 0
    if (!(isSingle || isTheirs) || (target instanceof Element && target.closest(OWN_KEYS))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    waiting.push({ key, code, shiftKey })
  }
  window.addEventListener('keydown', keep, { capture: true })
  // A click goes on with something else.
  window.addEventListener('pointerdown', () => {
    waiting = []
  })
}
