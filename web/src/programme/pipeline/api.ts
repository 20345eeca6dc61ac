import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { PassingReason, PassingReasonsInput, Stage, StageInput, StagePatch } from '#contract/stage.ts'
import { patch, post, put } from '#web/lib/http.ts'
import { boardKey, listReasons, listStages } from '#web/pipeline/api.ts'

export const refetchStages = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: listStages.queryKey }),
    client.invalidateQueries({ queryKey: boardKey }),
  ])

export const createStage = mutationOptions({
  mutationFn: ({ key, ...input }: StageInput & { key: string }) => post<Stage>('/stages', input, { key }),
  onSuccess: (_stage, _input, _result, { client }) => refetchStages(client),
})

export const changeStage = mutationOptions({
  mutationFn: ({ id, ...change }: StagePatch & { id: string }) => patch<Stage>(`/stages/${id}`, change),
  onSuccess: (_stage, _input, _result, { client }) => refetchStages(client),
})

export const putReasons = mutationOptions({
  mutationFn: (reasons: PassingReasonsInput) => put<PassingReason[]>('/passing-reasons', reasons),
  onSuccess: (saved, _input, _result, { client }) => client.setQueryData(listReasons.queryKey, saved),
})
