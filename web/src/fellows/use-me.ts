import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { listFellows } from './api.ts'

/** The signed-in person as other fellows see them, with their public id. Undefined while that loads. */
export const useMe = () => {
  const { email } = useCurrentUser()
  const { data } = useQuery({ ...listFellows(email), enabled: email !== '', staleTime: 5 * 60_000 })
  return data?.find((fellow) => fellow.email === email)
}
