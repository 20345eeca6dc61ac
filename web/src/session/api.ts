import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { MeAnswer, User } from '#contract/auth.ts'
import type { Rights } from '#contract/rights.ts'
import { drafts } from '#web/lib/drafts.ts'
import { setSignedIn } from '#web/lib/http/sign-out.ts'
import { ApiError, type Call, get, isOtherAccount, setPageAccount } from '#web/lib/http.ts'
import { lastSignIn } from '#web/offline/last-sign-in.ts'
import { otherAccount, refuseOther } from './other-account.ts'

// The session of this browser: who is signed in.

export const CURRENT_USER = '/auth/me'

/** `isOffline`: the server could not be reached, so it is the account that signed in here last, without its name. */
type SignedIn = { user: User; account: string; signIn: string; isOffline?: true } & Pick<MeAnswer, 'role'>

/** `from` is the address where a session ended, to return to after sign-in, and `email` the address that was signed in. */
export type Session = SignedIn | { user: null; role?: never; from?: string; email?: string; isOffline?: true }

class AuthenticationError extends Error {
  override name = 'AuthenticationError'
  constructor() {
    super('Not authenticated')
  }
}

/** From now on the page belongs to this account. */
const enter = (session: SignedIn) => {
  setPageAccount(session.account)
  setSignedIn(true)
  otherAccount.set(undefined)
  drafts.claim(session)
  lastSignIn.keep(session)
  return session
}

/** The session of a page that cannot reach the server. */
const offlineSession = (): Session => {
  const signIn = lastSignIn.get()
  if (!signIn) return { user: null, isOffline: true }
  return enter({ user: { name: '', email: '' }, ...signIn, isOffline: true })
}

/**
 * The current-user check. Rejects with an `AuthenticationError` when signed out, and when the page belongs to another account
 * (`own`), which it then says.
 */
export const getCurrentUser = async (signal?: AbortSignal, own?: string): Promise<SignedIn> => {
  const answer = await get<MeAnswer>(CURRENT_USER, { signal, open: true }).then(
    (answer) => answer,
    (failure) => {
      if (failure instanceof ApiError && failure.status === 401) return null
      throw failure
    },
  )
  if (answer?.user == null) {
    lastSignIn.forget()
    throw new AuthenticationError()
  }
  if (own !== undefined) refuseOther(answer, own)
  const { user, account = '', signIn = '', role } = answer
  return enter({ user, account, signIn, ...(role && { role }) })
}

const isUnreached = (failure: unknown) => failure instanceof ApiError && failure.status === 0

/** How often a page that could not reach the server asks again, in milliseconds. */
const AGAIN_MS = 15_000

/** The current session. A failed check means signed out, whatever the failure, unless there is no network. */
export const currentSession = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client }): Promise<Session> => {
    // Only a page without a network asks again.
    const before = client.getQueryData<Session>(['session'])
    try {
      const session = await getCurrentUser(signal, before?.user ? before.account : undefined)
      if (before?.isOffline) void goOnFetching(client)
      return session
    } catch (failure) {
      if (before?.user && isOtherAccount(failure)) return before
      if (isUnreached(failure)) return offlineSession()
      // A page that was opened without a network leads through the sign-in to its address.
      return { user: null, ...(before?.user === null && before.from && { from: before.from }) }
    }
  },
  refetchInterval: ({ state }) => (state.data?.isOffline ? AGAIN_MS : false),
  refetchOnReconnect: ({ state }) => (state.data?.isOffline ? 'always' : false),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Asks again who is signed in. Rejects if that is another account than that of the page. A new sign-in of the same account
 * takes over the page.
 */
export async function checkSession(client: QueryClient, call?: Call): Promise<MeAnswer> {
  const me = await get<MeAnswer>(CURRENT_USER, call)
  const session = client.getQueryData(currentSession.queryKey)
  if (!session?.user || !me.user) return me
  refuseOther(me, session.account)
  const { account = session.account, signIn = session.signIn, user, role } = me
  if (session.isOffline) {
    client.setQueryData(currentSession.queryKey, enter({ user, account, signIn, ...(role && { role }) }))
    void goOnFetching(client)
  } else if (signIn !== session.signIn) client.setQueryData(currentSession.queryKey, enter({ ...session, signIn }))
  return me
}

/** What the signed-in person may do. Only decides what is offered, so a failure is not shown. */
export const getRights = queryOptions({
  queryKey: ['rights'],
  queryFn: ({ signal }) => get<Rights>('/rights', { signal }),
})

export const isOfSession = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === currentSession.queryKey[0]

/** Everything that is cached for a session. */
const ofAccount = { predicate: (query: { queryKey: readonly unknown[] }) => !isOfSession(query) }

/** Fetches it again, once the server is reached. */
const goOnFetching = (client: QueryClient) => client.invalidateQueries(ofAccount)

/** Deletes everything cached for the previous session, and sets the current one. */
export const replaceSession = async (client: QueryClient, session: Session) => {
  if (session.user) enter(session)
  else {
    setPageAccount('')
    setSignedIn(false)
    lastSignIn.forget()
  }
  client.setQueryData(currentSession.queryKey, session)
  await client.cancelQueries(ofAccount)
  client.removeQueries(ofAccount)
  if (session.user) void client.prefetchQuery(getRights)
}

/** The person has another name or address. */
export const changeUser = (client: QueryClient, user: User) =>
  client.setQueryData<Session>(currentSession.queryKey, (session) => (session?.user ? { ...session, user } : session))
