// A lock for each waiting form, held by the tab that sends or edits it. The browser frees the locks of a closed tab.

/**
 * The forms that this tab holds, by the names of their locks, also in browsers without locks: those of an address without
 * https.
 */
const held = new Set<string>()

const nameOf = (account: string, id: string) => `waiting ${account} ${id}`

const run = (name: string, act: () => Promise<unknown>) => {
  held.add(name)
  return act().finally(() => held.delete(name))
}

/** Runs `act`, unless this form is being sent or edited in any tab. */
export async function withFormLock(account: string, id: string, act: () => Promise<unknown>): Promise<void> {
  const name = nameOf(account, id)
  if (held.has(name)) return
  if (!('locks' in navigator)) await run(name, act)
  else await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? run(name, act) : undefined))
}

/** Waits for the lock, calls `onHeld`, and holds it until `signal`. */
export function holdFormLock(account: string, id: string, signal: AbortSignal, onHeld: () => void): void {
  const name = nameOf(account, id)
  const hold = () => {
    if (signal.aborted) return Promise.resolve()
    onHeld()
    return run(name, () => new Promise((resolve) => signal.addEventListener('abort', resolve)))
  }
  if (!('locks' in navigator)) void hold()
  else
    navigator.locks.request(name, { signal }, hold).catch((reason: unknown) => {
      if (!signal.aborted) throw reason
    })
}
