import { snapshots } from '#web/lib/snapshots.ts'

// What can be known of the session before the server is asked.

export const CURRENT_USER = '/auth/me'

const KEY = 'signed-in'

/** Whether somebody was signed in when this browser last heard of it. Only a hint of what to ask for. */
export const wasSignedIn = () => {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

export const rememberSignedIn = (isSignedIn: boolean) => {
  if (!isSignedIn) snapshots.end()
  try {
    if (isSignedIn) localStorage.setItem(KEY, '')
    else localStorage.removeItem(KEY)
  } catch {
    // Then it is asked for a little later, the next time.
  }
}
