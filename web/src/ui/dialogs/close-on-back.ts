import { useLayoutEffect, useRef } from 'react'
import type { createBrowserRouter } from 'react-router'

// Back closes a dialog that has no entry of its own in the browser's history. `routed-dialog.tsx` has those that have one.

type Router = ReturnType<typeof createBrowserRouter>

const DIALOGS = 'dialogs'

let router: Router | undefined
/** The functions that close the open dialogs, the top one last. */
let open: readonly (() => void)[] = []

function change(next: typeof open) {
  open = next
  if (open.length === 0) router?.deleteBlocker(DIALOGS)
  else router?.getBlocker(DIALOGS, ({ historyAction }) => historyAction === 'POP')
}

/**
 * For a dialog: Back does what Escape does, from before it is painted, because a quick person may go back as soon as they see it.
 * `useBlocker` of the router begins later.
 */
export function useCloseOnBack(isOpen: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeLatest = () => latest.current()
    change([...open, closeLatest])
    return () => change(open.filter((one) => one !== closeLatest))
  }, [isOpen])
}

/** For the router of the page. */
export const closeDialogsOnBack = (ofPage: Router) => {
  router = ofPage
  ofPage.subscribe(({ blockers }) => {
    const blocker = blockers.get(DIALOGS)
    if (blocker?.state !== 'blocked') return
    blocker.reset()
    open.at(-1)?.()
  })
}
