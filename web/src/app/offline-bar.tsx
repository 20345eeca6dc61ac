import { useSyncExternalStore } from 'react'
import classes from './offline-bar.module.css'

const subscribe = (listener: () => void) => {
  const end = new AbortController()
  for (const name of ['online', 'offline']) addEventListener(name, listener, end)
  return () => end.abort()
}

/** Shown while the browser is offline. */
export const OfflineBar = () => (
  <div role="status" className={classes.place}>
    {!useSyncExternalStore(subscribe, () => navigator.onLine) && (
      <p className={classes.bar}>You are offline. What you see may be out of date.</p>
    )}
  </div>
)
