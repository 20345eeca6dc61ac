import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { currentSession } from '#web/auth/api.ts'
import { paths } from '#web/paths.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

/** Until the current user is known, nothing is shown of any page. */
export const SessionGate = () => {
  const { isPending } = useQuery(currentSession)
  return isPending ? <FullScreenSpinner /> : <Outlet />
}

const useSession = () => useQuery(currentSession).data

export const SignedInOnly = () => {
  const session = useSession()
  if (session?.user) return <Outlet />
  return <Navigate to={paths.auth} replace state={{ from: session && 'from' in session ? session.from : undefined }} />
}

export const SignedOutOnly = () => {
  const session = useSession()
  const { state } = useLocation()
  return session?.user ? <Navigate to={placeToReturnTo(state)} replace /> : <Outlet />
}

/** A path of our own, and nothing that a browser would take for another address. */
const placeToReturnTo = (state: unknown) => {
  const from: unknown = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : paths.dashboard
}
