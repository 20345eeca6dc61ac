import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { PipelineInput } from '#contract/pipeline.ts'
import type { PassingReason, Pipeline, Stage } from '#contract/stage.ts'
import { historyKey } from '#web/history/api.ts'
import { get, put } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists, refetchLists } from '#web/records/cache/list-cache.ts'
import { mayMove } from '#web/records/cache/record-query.ts'

const PIPELINE = 'pipeline'
export const boardKey = ['board'] as const
export const nextStepsKey = ['next-steps'] as const

/** The pipeline of one record. Ids are unique over all kinds. */
export const getPipeline = (id: string) =>
  queryOptions({
    queryKey: [PIPELINE, id] as const,
    queryFn: ({ signal }) => get<Pipeline>(`/records/${id}/pipeline`, { signal }),
  })

/** All stages in their order, archived ones last. */
export const listStages = queryOptions({
  queryKey: ['stages'],
  queryFn: ({ signal }) => get<Stage[]>('/stages', { signal }),
  staleTime: 60_000,
})

export const listReasons = queryOptions({
  queryKey: ['passing-reasons'],
  queryFn: ({ signal }) => get<PassingReason[]>('/passing-reasons', { signal }),
  staleTime: 60_000,
})

export const putPipeline = (id: string, input: PipelineInput) => put<Pipeline>(`/records/${id}/pipeline`, input)

/** Shows a pipeline that the server has returned wherever the record is shown. */
export const showPipeline = (client: QueryClient, kind: Kind, id: string, pipeline: Pipeline) => {
  const shown = pipeline.version > 0 ? { pipeline } : {}
  client.setQueryData(getPipeline(id).queryKey, pipeline)
  client.setQueryData(getRecord(kind, id).queryKey, (record) => record && { ...record, ...shown })
  changeInLists(client, kind, id, shown)
}

/** Refetches the data that a change of pipelines makes stale. A record itself is refetched by its id. */
export const refetchPipelines = (client: QueryClient, ids: Iterable<string>) =>
  Promise.all([
    client.invalidateQueries({ queryKey: boardKey }),
    client.invalidateQueries({ queryKey: nextStepsKey }),
    ...[...ids].flatMap((id) => [
      client.invalidateQueries({ queryKey: getPipeline(id).queryKey }),
      client.invalidateQueries({ queryKey: historyKey(id) }),
    ]),
  ])

/** The lists that a changed pipeline may bring a record into, or out of. */
export const refetchPipelineLists = (client: QueryClient, kind: Kind) => refetchLists(client, kind, mayMove('pipeline'))
