import { z } from 'zod'
import { PipelineConflict, PipelineInput } from '#contract/pipeline.ts'
import { RecordParams } from '#contract/record.ts'
import {
  PassingReason,
  PassingReasonsInput,
  Pipeline,
  Stage,
  StageInput,
  StageParams,
  StagePatch,
} from '#contract/stage.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import { changePipeline, pipelineChanged } from './change.ts'
import { presentPipeline } from './present.ts'
import {
  createStage,
  getStage,
  lastStage,
  listReasons,
  listStages,
  NO_STAGE,
  nameTaken,
  noReason,
  replaceReasons,
  updateStage,
} from './stages.ts'
import { getPipeline } from './store.ts'

const tag = 'Pipeline'

/** The pipeline of records, and its stages and reasons for passing. */
export const pipelineRoutes: FeatureRoutes = (app, { db }, kinds) => {
  const byName = Object.fromEntries(kinds.map((kind) => [kind.name, kind])) as Record<RecordKind['name'], RecordKind>

  app.get(
    '/records/:id/pipeline',
    head({
      ...{ operationId: 'getPipeline', summary: 'Get the pipeline of a record', tag },
      params: RecordParams,
      answers: { 200: Pipeline },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const { id } = request.params
      return presentPipeline(await getPipeline(db, await getKindOf(db, kinds, id), id))
    },
  )

  app.put(
    '/records/:id/pipeline',
    head({
      ...{ operationId: 'updatePipeline', summary: 'Change the pipeline of a record', tag },
      audit: { action: 'update-pipeline' },
      params: RecordParams,
      body: PipelineInput,
      answers: { 200: Pipeline, 409: PipelineConflict },
      refusals: [...RECORD_REFUSALS, refusal(rights.advance), pipelineChanged(undefined)],
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const kind = await getKindOf(db, kinds, id)
      return presentPipeline(await changePipeline(db, byName, caller, { kind, id }, request.body))
    },
  )

  app.get(
    '/stages',
    head({
      ...{ operationId: 'listStages', summary: 'List the stages in their order, archived ones last', tag },
      answers: { 200: z.array(Stage) },
    }),
    async () => listStages(db),
  )

  app.post(
    '/stages',
    head({
      ...{ operationId: 'createStage', summary: 'Add a stage', tag },
      scope: 'none',
      audit: { action: 'create-stage', kind: 'stage' },
      body: StageInput,
      answers: { 201: Stage },
      refusals: [refusal(rights.setUpPipeline), nameTaken()],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      authorize(caller, rights.setUpPipeline)
      const key = idempotencyKeyOf(request, caller.id)
      const stage = await withIdempotency(
        db,
        key,
        () => createStage(db, caller, request.body, key),
        (id) => getStage(db, id),
      )
      return reply.code(201).send(stage)
    },
  )

  app.patch(
    '/stages/:id',
    head({
      ...{ operationId: 'updateStage', summary: 'Rename, order, archive or limit a stage', tag },
      scope: 'none',
      audit: { action: 'update-stage', kind: 'stage' },
      params: StageParams,
      body: StagePatch,
      answers: { 200: Stage },
      refusals: [refusal(rights.setUpPipeline), notFound(NO_STAGE), nameTaken(), lastStage()],
    }),
    async (request) => {
      const caller = callerOf(request)
      authorize(caller, rights.setUpPipeline)
      return updateStage(db, caller, request.params.id, request.body)
    },
  )

  app.get(
    '/passing-reasons',
    head({
      ...{ operationId: 'listPassingReasons', summary: 'List the reasons for passing in their order', tag },
      answers: { 200: z.array(PassingReason) },
    }),
    async () => listReasons(db),
  )

  app.put(
    '/passing-reasons',
    head({
      ...{ operationId: 'replacePassingReasons', summary: 'Replace the list of reasons for passing', tag },
      scope: 'none',
      audit: { action: 'update-passing-reasons', kind: 'pipeline' },
      body: PassingReasonsInput,
      answers: { 200: z.array(PassingReason) },
      refusals: [refusal(rights.setUpPipeline), new AppError(409, 'Two reasons have the same name'), noReason()],
    }),
    async (request) => {
      const caller = callerOf(request)
      authorize(caller, rights.setUpPipeline)
      return replaceReasons(db, caller, request.body)
    },
  )
}
