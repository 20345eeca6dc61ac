import type { Fellow } from '#contract/fellow.ts'
import { kinds } from '#contract/kinds.ts'
import type { Caller } from './caller.ts'
import type { Call } from './calls.ts'
import { get } from './pipeline-calls.ts'

// What managers alone may do.

const LEAVE = '/api/programme/people/leave'
const HAND_OVER_MAX = 10_000

export const programmeCalls: Call[] = [
  {
    name: 'figures',
    requests: kinds.flatMap(({ name }) =>
      ['quarter', 'month'].map((period) => get(`programme/figures?kind=${name}&period=${period}`)),
    ),
  },
  { name: 'my figures', requests: kinds.map(({ name }) => get(`figures/mine?kind=${name}`)) },
  { name: 'quality', requests: [get('programme/quality')] },
]

type Leaver = { id: string; records: number }

/** The milliseconds in which the fellow with most records, but at most 10,000, leaves, and another one takes them over. */
export async function measureHandOver(manager: Caller, emails: string[], successor: string) {
  const idOf = async (email: string) =>
    (await manager.get<Fellow[]>(`/api/fellows?${new URLSearchParams({ search: email })}`))[0]?.id ?? ''
  const leaverOf = async (email: string): Promise<Leaver> => {
    const id = await idOf(email)
    const [counts] = await manager.get<{ responsible: number; unassigned: number }[]>(`${LEAVE}?ids=${id}`)
    return { id, records: (counts?.responsible ?? 0) + (counts?.unassigned ?? 0) }
  }
  const others = await Promise.all(emails.filter((email) => email !== successor).map(leaverOf))
  const largest = others
    .filter(({ records }) => records <= HAND_OVER_MAX)
    .reduce((one, other) => (other.records > one.records ? other : one))
  const responsible = await idOf(successor)
  const began = performance.now()
  await manager.post(LEAVE, { ids: [largest.id], responsible })
  return { records: largest.records, ms: performance.now() - began }
}
