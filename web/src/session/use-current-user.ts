import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/auth.ts'
import { currentSession } from './api.ts'

const signedOut: User = { name: '', email: '' }

/** The signed-in person, for pages that require a session. */
export const useCurrentUser = (): User => useQuery(currentSession).data?.user ?? signedOut
