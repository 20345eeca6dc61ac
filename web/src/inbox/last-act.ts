import { useSyncExternalStore } from 'react'
import { toasts } from '#web/ui/states/toasts.tsx'

type Act = { account: string; takeBack: () => void }

let last: Act | undefined
let hideToast = () => {}
const listeners = new Set<() => void>()

function set(act: Act | undefined) {
  last = act
  for (const listener of listeners) listener()
}

/** Says what was done, in place of what was said of the act before, with a button that takes it back. */
export function offerTakeBack(account: string, words: string, act: () => void) {
  hideToast()
  const takeBack = () => {
    set(undefined)
    hideToast()
    act()
  }
  hideToast = toasts.withActions(words, { label: 'Undo', onAct: takeBack })
  set({ account, takeBack })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Takes back the last act of an account, also once nothing says so any more. Undefined without one. */
export function useTakeBack(account: string): (() => void) | undefined {
  const act = useSyncExternalStore(subscribe, () => last)
  return act?.account === account ? act.takeBack : undefined
}
