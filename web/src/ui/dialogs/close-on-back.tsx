import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useBlocker } from 'react-router'

// Back closes a dialog that has no entry of its own in the browser's history. `routed-dialog.tsx` has those that have one.

/** The functions that close the open dialogs, the top one last. */
let open: readonly (() => void)[] = []
const listeners = new Set<() => void>()

function change(next: typeof open) {
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** For a dialog: Back does what Escape does. */
export function useCloseOnBack(isOpen: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  // Before the dialog is painted: a quick person may go back as soon as they see it.
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeLatest = () => latest.current()
    change([...open, closeLatest])
    return () => change(open.filter((one) => one !== closeLatest))
  }, [isOpen])
}

/** For the frame of all screens. A router has one blocker at a time, so it is not in the dialogs. */
export const CloseOnBackHost = () => {
  const isAnyOpen = useSyncExternalStore(subscribe, () => open.length > 0)
  return isAnyOpen && <StayOnBack />
}

const StayOnBack = () => {
  const blocker = useBlocker(({ historyAction }) => historyAction === 'POP')
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    open.at(-1)?.()
  }, [blocker])
  return null
}
