import { useEffect } from 'react'
import { OPEN_FORM, REPLACE } from './names.ts'

/** Lets another version of the worker take over once no tab has an open form. */
export const offerToReplace = async () =>
  (await navigator.serviceWorker?.getRegistration())?.waiting?.postMessage(REPLACE)

/** While it is shown, the files of this version are kept. */
export const useOpenForm = () =>
  useEffect(() => {
    // Addresses without https have neither locks nor workers.
    if (!('locks' in navigator)) return
    const end = new AbortController()
    const untilEnd = () =>
      end.signal.aborted ? undefined : new Promise((resolve) => end.signal.addEventListener('abort', resolve))
    const held = navigator.locks.request(OPEN_FORM, { mode: 'shared' }, untilEnd)
    void held.then(offerToReplace)
    return () => end.abort()
  }, [])
