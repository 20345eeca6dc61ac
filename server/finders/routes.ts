import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { Finders } from '#contract/finder.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { getRecordOfAny } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { presentFinders } from './present.ts'
import { addFinder, deleteFinder, listFinders } from './store.ts'

/** The finders of a record, and *I met them too*. */
export function finderRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  app.get(
    '/records/:id/finders',
    { schema: { params: RecordParams, response: { 200: Finders, '4xx': Failure } } },
    async (request) => {
      const caller = callerOf(request)
      const { record } = await getRecordOfAny(db, kinds, caller, request.params.id)
      return presentFinders(caller, await listFinders(db, record.id))
    },
  )

  app.post(
    '/records/:id/finders',
    {
      config: { audit: { action: 'add-finder' } },
      schema: { params: RecordParams, response: { 200: Finders, 201: Finders, '4xx': Failure } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { kind, record } = await getRecordOfAny(db, kinds, caller, request.params.id)
      const isAdded = await addFinder(db, kind, record.id, caller)
      return reply.code(isAdded ? 201 : 200).send(presentFinders(caller, await listFinders(db, record.id)))
    },
  )

  app.delete(
    '/records/:id/finders',
    {
      config: { audit: { action: 'delete-finder' } },
      schema: { params: RecordParams, response: { 204: z.null().describe('Taken back'), '4xx': Failure } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { kind, record } = await getRecordOfAny(db, kinds, caller, request.params.id)
      await deleteFinder(db, kind, record.id, caller)
      const isFinder = (await listFinders(db, record.id)).some(({ accountId }) => accountId === caller.id)
      if (isFinder) throw forbidden('Only “I met them too” can be taken back')
      return reply.code(204).send(null)
    },
  )
}
