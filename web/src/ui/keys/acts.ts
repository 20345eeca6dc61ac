import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Something that the screen offers, in a few words, with its key if it has one. The command palette lists it. */
export type Act = { label: string; key?: string | undefined; run: () => void }

let offered: readonly Act[] = []
const listeners = new Set<() => void>()

const change = (next: readonly Act[]) => {
  offered = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The acts of the mounted components, in the order in which they were mounted. */
export const useOfferedActs = () => useSyncExternalStore(subscribe, () => offered)

/** Offers an act as long as the component is mounted. Without a label or an action it offers nothing. */
export function useAct(label: string | undefined, action: (() => void) | undefined, key?: string) {
  const run = useEffectEvent(() => action?.())
  const isOffered = action !== undefined
  useEffect(() => {
    if (label === undefined || !isOffered) return
    const act: Act = { label, key, run: () => run() }
    change([...offered, act])
    return () => change(offered.filter((one) => one !== act))
  }, [label, key, isOffered])
}
