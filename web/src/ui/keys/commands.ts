import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Something that the screen offers, in a few words, with its key if it has one. The command palette lists it. */
export type Command = { label: string; key?: string | undefined; run: () => void }

let offered: readonly Command[] = []
const listeners = new Set<() => void>()

const change = (next: readonly Command[]) => {
  offered = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The commands of the mounted components, in the order in which they were mounted. */
export const useOfferedCommands = () => useSyncExternalStore(subscribe, () => offered)

/** Offers a command until the returned function is called. */
export function offerCommand(command: Command): () => void {
  change([...offered, command])
  return () => change(offered.filter((one) => one !== command))
}

/** Offers a command as long as the component is mounted. Without a label or an action it offers nothing. */
export function useCommand(label: string | undefined, action: (() => void) | undefined, key?: string) {
  const run = useEffectEvent(() => action?.())
  const isOffered = action !== undefined
  useEffect(() => {
    if (label === undefined || !isOffered) return
    return offerCommand({ label, key, run: () => run() })
  }, [label, key, isOffered])
}
