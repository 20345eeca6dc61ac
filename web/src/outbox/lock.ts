// A lock for each waiting form, held by the tab that sends or edits it. The browser frees the locks of a closed tab.

/** The forms that this tab holds, also in browsers without locks: those of an address without https. */
const held = new Set<string>()

const nameOf = (id: string) => `waiting ${id}`

const run = (id: string, act: () => Promise<unknown>) => {
  held.add(id)
  return act().finally(() => held.delete(id))
}

/** Runs `act`, unless this form is being sent or edited in any tab. */
export async function withFormLock(id: string, act: () => Promise<unknown>): Promise<void> {
  if (held.has(id)) return
  if (!('locks' in navigator)) await run(id, act)
  else await navigator.locks.request(nameOf(id), { ifAvailable: true }, (lock) => (lock ? run(id, act) : undefined))
}

/** Waits for the lock, calls `onHeld`, and holds it until `signal`. */
export function holdFormLock(id: string, signal: AbortSignal, onHeld: () => void): void {
  const hold = () => {
    if (signal.aborted) return Promise.resolve()
    onHeld()
    return run(id, () => new Promise((resolve) => signal.addEventListener('abort', resolve)))
  }
  if (!('locks' in navigator)) void hold()
  else
    navigator.locks.request(nameOf(id), { signal }, hold).catch((reason: unknown) => {
      if (!signal.aborted) throw reason
    })
}
