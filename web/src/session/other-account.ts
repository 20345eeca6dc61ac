import { useSyncExternalStore } from 'react'
import type { MeAnswer, User } from '#contract/auth.ts'
import { ApiError } from '#web/lib/http.ts'

// Another account may sign in in another tab. A page that belongs to the first one then does nothing, and says so.

export type Other = { account: string; user: User }

let other: Other | undefined
const listeners = new Set<() => void>()

export const otherAccount = {
  /** Who is signed in instead of the account of this page. */
  get: () => other,

  set: (found: Other | undefined) => {
    other = found
    for (const listener of listeners) listener()
  },

  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Throws if the answer is about another account than that of the page, which then says so. */
export function refuseOther({ account, user }: MeAnswer, own: string): void {
  const isOther = user !== null && account !== undefined && account !== own
  otherAccount.set(isOther ? { account, user } : undefined)
  if (isOther) throw new ApiError(409, { code: 'other_account' })
}

/** Who is signed in now, if that is another account than that of the page. */
export const useOtherAccount = () => useSyncExternalStore(otherAccount.subscribe, otherAccount.get)
