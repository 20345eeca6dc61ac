import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { MeAnswer, User } from '#contract/auth.ts'
import { drafts } from '#web/lib/drafts.ts'
import { ApiError, get } from '#web/lib/http.ts'

// The session of this browser: who is signed in.

export const CURRENT_USER = '/auth/me'

/** `from` is the address where a session ended, to return to after sign-in. */
export type Session = { user: User; role?: 'manager' } | { user: null; role?: never; from?: string }

class AuthenticationError extends Error {
  override name = 'AuthenticationError'
  constructor() {
    super('Not authenticated')
  }
}

/** The current-user check. Rejects with an `AuthenticationError` when signed out. */
export const getCurrentUser = async (signal: AbortSignal): Promise<{ user: User; role?: 'manager' }> => {
  const answer = await get<MeAnswer>(CURRENT_USER, { signal, open: true }).then(
    (answer) => answer,
    (failure) => {
      if (failure instanceof ApiError && failure.status === 401) return null
      throw failure
    },
  )
  if (answer?.user == null) throw new AuthenticationError()
  const { user, role } = answer
  drafts.claim(user.email)
  return { user, ...(role && { role }) }
}

/** The current session. A failed check means signed out, whatever the failure. */
export const currentSession = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<Session> => getCurrentUser(signal).catch(() => ({ user: null })),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** The role of the signed-in person; null for fellows. */
export const currentRole = queryOptions({
  queryKey: ['role'],
  queryFn: async ({ signal }) => (await get<MeAnswer>(CURRENT_USER, { signal })).role ?? null,
})

export const isOfSession = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === currentSession.queryKey[0]

/** Deletes everything cached for the previous session, and sets the current one. */
export const replaceSession = async (client: QueryClient, session: Session) => {
  const isOther = (query: { queryKey: readonly unknown[] }) => !isOfSession(query)
  if (session.user) drafts.claim(session.user.email)
  client.setQueryData(currentSession.queryKey, session)
  await client.cancelQueries({ predicate: isOther })
  client.removeQueries({ predicate: isOther })
  if (session.user) void client.prefetchQuery(currentRole)
}
