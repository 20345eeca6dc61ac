import { useQuery } from '@tanstack/react-query'
import { currentRole, currentSession } from './api.ts'

/** The role of the signed-in person. It is known with the session, or asked after a sign-in, not for this. */
export const useRole = () => {
  const { data: asked } = useQuery({ ...currentRole, enabled: false })
  const { data: session } = useQuery(currentSession)
  return asked ?? session?.role
}
