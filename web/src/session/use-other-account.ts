import { useSyncExternalStore } from 'react'
import { otherAccount } from './other-account.ts'

/** Who is signed in now, if that is another account than that of the page. */
export const useOtherAccount = () => useSyncExternalStore(otherAccount.subscribe, otherAccount.get)
