import type { Fellow } from '#contract/fellow.ts'
import { kinds } from '#contract/kinds.ts'
import type { Caller } from './caller.ts'
import type { Call, Request } from './calls.ts'

// What managers alone may do.

const get = (path: string): Request => ({ method: 'GET', path: `/api/${path}` })

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

/** The milliseconds in which a fellow leaves, and the number of their records that another one takes over. */
export async function measureHandOver(manager: Caller, leaver: string, successor: string) {
  const idOf = async (email: string) =>
    (await manager.get<Fellow[]>(`/api/fellows?${new URLSearchParams({ search: email })}`))[0]?.id ?? ''
  const [left, responsible] = [await idOf(leaver), await idOf(successor)]
  const [counts] = await manager.get<{ responsible: number; unassigned: number }[]>(
    `/api/programme/people/leave?ids=${left}`,
  )
  const began = performance.now()
  await manager.post('/api/programme/people/leave', { ids: [left], responsible })
  return { records: (counts?.responsible ?? 0) + (counts?.unassigned ?? 0), ms: performance.now() - began }
}
