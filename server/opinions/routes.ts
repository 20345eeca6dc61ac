import { z } from 'zod'
import { NAMED_MAX } from '#contract/limits.ts'
import { AskInput, OpinionInput, Opinions } from '#contract/opinion.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { tooManyNamed } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import { presentOpinions } from './present.ts'
import {
  askForOpinions,
  deleteOpinion,
  getOpinions,
  nothingToReveal,
  type Parent,
  putOpinion,
  revealOpinions,
} from './store.ts'

/** Second opinions on a record. Blind: each caller gives their own first. */
export const opinionRoutes: FeatureRoutes = (app, { db }, kinds) => {
  const shared = { tag: 'Opinions', params: RecordParams }

  /** The record of the call. Throws the refusal for one that is gone or merged away. */
  const getParent = async (id: string): Promise<Parent> => ({ kind: await getKindOf(db, kinds, id), id })
  /** Runs `act` on the record, again where a merge or a deletion came between. */
  async function onRecord(id: string, act: (parent: Parent) => Promise<boolean>) {
    let parent: Parent
    do parent = await getParent(id)
    while (!(await act(parent)))
    return parent
  }

  app.get(
    '/records/:id/opinions',
    head({
      ...{ operationId: 'getOpinions', summary: 'Get the opinions on a record, as far as the caller may', ...shared },
      answers: { 200: Opinions },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = await getParent(request.params.id)
      return presentOpinions(caller, await getOpinions(db, id))
    },
  )

  app.put(
    '/records/:id/opinion',
    head({
      ...{ operationId: 'putOpinion', summary: "Give the caller's opinion on a record, or change it", ...shared },
      audit: { action: 'give-opinion' },
      body: OpinionInput,
      answers: { 200: Opinions },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = await onRecord(request.params.id, (parent) => putOpinion(db, parent, caller, request.body))
      return presentOpinions(caller, await getOpinions(db, id))
    },
  )

  app.delete(
    '/records/:id/opinion',
    head({
      ...{ operationId: 'deleteOpinion', summary: "Delete the caller's opinion on a record", ...shared },
      audit: { action: 'delete-opinion' },
      answers: { 204: z.null().describe('Deleted') },
      refusals: RECORD_REFUSALS,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      await onRecord(request.params.id, (parent) => deleteOpinion(db, parent, caller))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/records/:id/opinions/ask',
    head({
      ...{ operationId: 'askForOpinions', summary: 'Ask fellows for their opinion on a record', ...shared },
      scope: 'none',
      description: 'Says nothing of what they have given. Others do not see who was asked.',
      audit: { action: 'ask-opinions' },
      body: AskInput,
      answers: { 204: z.null().describe('Asked') },
      refusals: [...RECORD_REFUSALS, tooManyNamed(NAMED_MAX, 3_600)],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      await onRecord(request.params.id, (parent) => askForOpinions(db, parent, caller, request.body.fellows))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/records/:id/opinions/reveal',
    head({
      ...{ operationId: 'revealOpinions', summary: 'Show everyone the opinions on a record', ...shared },
      scope: 'none',
      audit: { action: 'reveal-opinions' },
      answers: { 200: Opinions },
      refusals: [...RECORD_REFUSALS, refusal(rights.revealOpinions), nothingToReveal()],
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = await onRecord(request.params.id, (parent) => {
        authorize(caller, rights.revealOpinions)
        return revealOpinions(db, parent, caller)
      })
      return presentOpinions(caller, await getOpinions(db, id))
    },
  )
}
