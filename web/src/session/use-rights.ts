import { useQuery } from '@tanstack/react-query'
import type { RightName } from '#contract/rights.ts'
import { currentSession, getRights } from './api.ts'

/** Whether the person has a right. Asks nothing: until the rights are there, the role of the session says it. */
export function useRights(): (name: RightName) => boolean {
  const { data: rights } = useQuery({ ...getRights, enabled: false })
  const { data: session } = useQuery(currentSession)
  return (name) => rights?.[name].allowed ?? (name === 'change' || session?.role === 'manager')
}
