import { useSyncExternalStore } from 'react'

/** What the title of a record was, and what it is now. */
type TitleChange = { was: readonly string[]; now: string }

/** The titles that were corrected on this page since it was loaded, by the id of their record. */
const changes = new Map<string, TitleChange>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const titleChanges = {
  add: (id: string, was: string, now: string) => {
    changes.set(id, { was: [...(changes.get(id)?.was ?? []), was], now })
    for (const listener of listeners) listener()
  },
}

/** The new title of a record, for a role in a link that repeats an earlier one; undefined for any other role. */
export function useNewTitle(id: string, role: string): string | undefined {
  const change = useSyncExternalStore(subscribe, () => changes.get(id))
  const isOld = role !== '' && change?.was.includes(role) === true && role !== change.now
  return isOld && change.now !== '' ? change.now : undefined
}
