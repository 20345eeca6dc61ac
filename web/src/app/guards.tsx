import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { paths } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import { FullScreenSpinner } from '#web/ui/full-screen-spinner.tsx'

// Components instead of redirects in loaders, because a session may also start or end while a page is open.

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

/** Unlike `Navigate`, it shows a spinner while the files of the other screen load. */
const Redirect = ({ to, from }: { to: string; from?: string | undefined }) => {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate(to, { replace: true, state: { from } })
  }, [navigate, to, from])
  return <FullScreenSpinner />
}

/** A path of this site. Text that a browser would read as another host is refused. */
const placeToReturnTo = (state: unknown) => {
  const from: unknown = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : paths.dashboard
}
