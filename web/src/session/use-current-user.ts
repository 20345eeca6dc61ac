import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/auth.ts'
import { ownerOf } from '#web/lib/drafts.ts'
import { currentSession } from './api.ts'

const signedOut: User = { name: '', email: '' }

/** The signed-in person, for pages that require a session. */
export const useCurrentUser = (): User => useQuery(currentSession).data?.user ?? signedOut

/** The public ids of the signed-in account and of its sign-in; empty without a session. */
export const useSignIn = () => {
  const session = useQuery(currentSession).data
  return session?.user ? session : { account: '', signIn: '' }
}

/** The owner of what the person types, for drafts and waiting forms. */
export const useOwner = (): string => ownerOf(useSignIn())
