import { useQuery } from '@tanstack/react-query'
import type { RightName, Rights } from '#contract/rights.ts'
import { currentSession, getRights, type Session } from './api.ts'

/** Whether the person has a right. Asks nothing: until the rights are there, the role of the session says it. */
export function useRights(): (name: RightName) => boolean {
  const { data: rights } = useQuery({ ...getRights, enabled: false })
  const { data: session } = useQuery(currentSession)
  return mayIn(session, rights)
}

/** The same of what is known of a session. */
export const mayIn =
  (session: Session | undefined, rights: Rights | undefined) =>
  (name: RightName): boolean =>
    rights?.[name].allowed ?? (name === 'change' || session?.role === 'manager')
