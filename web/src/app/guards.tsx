import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import type { AuthState } from '#web/auth/use-auth-steps.ts'
import { linkTokenAt } from '#web/lib/link-token.ts'
import { paths } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import { FullScreenSpinner } from '#web/ui/states/full-screen-spinner.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { OfflineScreen } from './error-screen.tsx'

// Components instead of redirects in loaders, because a session may also start or end while a page is open.

const InvitedScreen = lazyPart(
  'The invitation could not be shown.',
  async () => (await import('#web/auth/sign-up/invited-screen.tsx')).InvitedScreen,
)

const useSession = () => useQuery(currentSession).data

export const SignedInOnly = () => {
  const session = useSession()
  if (session?.user) return <Outlet />
  if (session?.isOffline) return <OfflineScreen />
  return <Redirect to={paths.auth} state={session?.user === null ? session : {}} />
}

export const SignedOutOnly = () => {
  const session = useSession()
  const { state }: { state: AuthState } = useLocation()
  if (session?.isOffline) return <OfflineScreen />
  if (!session?.user) return <Outlet />
  // Opened while someone is signed in. It is deleted when it is used.
  if (linkTokenAt(paths.auth) !== undefined) return <InvitedScreen current={session.user.email} />
  return state?.step ? <StepBack /> : <Redirect to={placeToReturnTo(state)} state={{}} />
}

/** Leaves the steps of the sign-in, so that Back does not lead to them. */
const StepBack = () => {
  const navigate = useNavigate()
  const isDone = useRef(false)
  useEffect(() => {
    if (!isDone.current) void navigate(-1)
    isDone.current = true
  }, [navigate])
  return <FullScreenSpinner />
}

/** Unlike `Navigate`, it shows a spinner while the files of the other screen load. */
const Redirect = ({ to, state }: { to: string; state: object }) => {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(to, { replace: true, state })
  }, [navigate, to, state])
  return <FullScreenSpinner />
}

/** A path of this site. Text that a browser would read as another host is refused. */
const placeToReturnTo = (state: AuthState) =>
  typeof state?.from === 'string' && /^\/(?![/\\])/.test(state.from) ? state.from : paths.dashboard
