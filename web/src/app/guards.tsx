import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { currentSession } from '#web/auth/api.ts'
import { paths } from '#web/paths.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

// Components and no redirects of loaders, since a session also begins and ends while its page stands there.

const useSession = () => useQuery(currentSession).data

export const SignedInOnly = () => {
  const session = useSession()
  if (session?.user) return <Outlet />
  return <Redirect to={paths.auth} from={session && 'from' in session ? session.from : undefined} />
}

export const SignedOutOnly = () => {
  const session = useSession()
  const { state } = useLocation()
  return session?.user ? <Redirect to={placeToReturnTo(state)} /> : <Outlet />
}

/** Not `Navigate`, which shows nothing while the files of the other screen are fetched. */
const Redirect = ({ to, from }: { to: string; from?: string | undefined }) => {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(to, { replace: true, state: { from } })
  }, [navigate, to, from])
  return <FullScreenSpinner />
}

/** A path of our own, and nothing that a browser would take for another address. */
const placeToReturnTo = (state: unknown) => {
  const from: unknown = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : paths.dashboard
}
