import { drafts } from './drafts.ts'

// Each tab with unsaved text of an account holds a lock, so that a sign-out in another tab knows of it. The browser frees
// the locks of a closed tab. An address without https has no locks: there each tab knows of its own text alone.

const nameOf = (account: string) => `unsaved ${account}`

/** Holds the lock while this tab has unsaved text, until `signal`. */
export function announceTyped(account: string, signal: AbortSignal): void {
  let release: AbortController | undefined
  const follow = () => {
    const isTyped = !signal.aborted && drafts.hasTyped(account)
    if (isTyped === (release !== undefined)) return
    release?.abort()
    release = isTyped ? new AbortController() : undefined
    if (release) hold(account, release.signal)
  }
  signal.addEventListener('abort', drafts.subscribe(follow))
  signal.addEventListener('abort', follow)
  follow()
}

function hold(account: string, signal: AbortSignal): void {
  const untilReleased = () =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve())
    })
  navigator.locks?.request(nameOf(account), { mode: 'shared' }, untilReleased).catch(() => {})
}

/** Whether any tab of this browser has unsaved text of this account. */
export async function isTypedInAnyTab(account: string): Promise<boolean> {
  if (drafts.hasTyped(account)) return true
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === nameOf(account))
}
