import type { Fellow } from '#contract/fellow.ts'
import { kinds } from '#contract/kinds.ts'
import type { Since } from '#contract/since.ts'
import type { Stage } from '#contract/stage.ts'
import type { Tag } from '#contract/tags.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { Caller, Page } from './caller.ts'
import { type Call, LIMIT, type Request } from './calls.ts'

// The board, next steps, and acts on many records. The lists by stage, status, fellow, tag and age are among the selections.

const BULK = 500

export const get = (path: string): Request => ({ method: 'GET', path: `/api/${path}` })

export async function pipelineCalls(caller: Caller, rows: Page['rows']): Promise<Call[]> {
  const stages = await caller.get<Stage[]>('/api/stages')
  const columns = kinds.flatMap(({ path }) =>
    ['none', ...stages.map(({ id }) => id)].map((stage) =>
      get(`${path}?${new URLSearchParams({ stage, status: 'active', limit: String(LIMIT) })}`),
    ),
  )
  return [
    {
      name: 'board of three stages',
      requests: kinds.map(({ name }) => get(`pipeline?kind=${name}&status=active`)),
    },
    { name: 'a column of the board', requests: columns },
    { name: 'next steps', requests: [get(`next-steps?limit=${LIMIT}`)] },
    { name: 'record page, pipeline', requests: rows.map(({ id }) => get(`records/${id}/pipeline`)) },
  ]
}

/** Moves one record after the other to a stage, and to the next one in the next round. */
export async function moveCall(caller: Caller, ids: string[]): Promise<Call> {
  const stages = await caller.get<Stage[]>('/api/stages')
  const requests = stages.flatMap(({ id: stage }) =>
    ids.map((id): Request => ({ method: 'POST', path: '/api/records/bulk', body: { ids: [id], set: { stage } } })),
  )
  return { name: 'move', requests }
}

/** These write. At the same time they would wait for each other, longer than a lock may take. */
export async function bulkCalls(caller: Caller): Promise<Call[]> {
  const stages = await caller.get<Stage[]>('/api/stages')
  const [tag] = await caller.get<Tag[]>('/api/tags')
  const calls = kinds.map(async ({ path }): Promise<Call[]> => {
    const ids = (await caller.page(`/api/${path}?limit=${BULK}`)).rows.map(({ id }) => id)
    const bulk = (set: object): Request => ({ method: 'POST', path: '/api/records/bulk', body: { ids, set } })
    return [
      { name: `bulk of 500 ${path}, a stage`, requests: stages.map(({ id }) => bulk({ stage: id })) },
      { name: `bulk of 500 ${path}, a tag`, requests: tag === undefined ? [] : [bulk({ addTag: tag.id })] },
    ]
  })
  return (await Promise.all(calls)).flat()
}

/** Values of the filters that are no enumeration. */
export async function pipelineValues(caller: Caller, kind: RecordKind, fellows: Fellow[]) {
  const stages = (await caller.get<Stage[]>('/api/stages')).map(({ id }) => id)
  const tags = (await caller.get<Tag[]>('/api/tags')).map(({ id }) => id)
  const { founders, companies } = await caller.get<Since>('/api/since')
  return {
    stage: ['none', ...stages],
    reached: stages,
    responsible: ['none', ...fellows.map(({ id }) => id)],
    tag: tags,
    cohort: [founders, companies].flatMap((count) => count[kind.name]?.cohort ?? []),
  }
}
