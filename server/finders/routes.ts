import { z } from 'zod'
import { type Finder, Finders } from '#contract/finder.ts'
import { RecordParams } from '#contract/record.ts'
import { type Caller, callerOf } from '#server/auth/sessions/session.ts'
import { forbidden } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import { type FinderRow, listFinders } from './found.ts'
import { addFinder, deleteFinder } from './store.ts'

const NOT_A_MEETING = 'Only “I met them too” can be taken back'

/** The finders of a record, and *I met them too*. */
export const finderRoutes: FeatureRoutes = (app, { db }, kinds) => {
  const shared = { tag: 'Finders', params: RecordParams }

  app.get(
    '/records/:id/finders',
    head({
      ...{ operationId: 'listFinders', summary: 'List the finders of a record, first finder first', ...shared },
      answers: { 200: Finders },
      refusals: RECORD_REFUSALS,
    }),
    async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      await getKindOf(db, kinds, id)
      return presentFinders(caller, await listFinders(db, id))
    },
  )

  app.post(
    '/records/:id/finders',
    head({
      ...{ operationId: 'addFinder', summary: 'Add the caller to the finders of a record', ...shared },
      audit: { action: 'add-finder' },
      answers: { 200: Finders, 201: Finders },
      refusals: RECORD_REFUSALS,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = request.params
      const kind = await getKindOf(db, kinds, id)
      const isAdded = await addFinder(db, kind, id, caller)
      return reply.code(isAdded ? 201 : 200).send(presentFinders(caller, await listFinders(db, id)))
    },
  )

  app.delete(
    '/records/:id/finders',
    head({
      ...{ operationId: 'deleteFinder', summary: 'Take back “I met them too”', ...shared },
      audit: { action: 'delete-finder' },
      answers: { 204: z.null().describe('Taken back') },
      refusals: [...RECORD_REFUSALS, forbidden(NOT_A_MEETING)],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = request.params
      const kind = await getKindOf(db, kinds, id)
      await deleteFinder(db, kind, id, caller)
      const isFinder = (await listFinders(db, id)).some(({ accountId }) => accountId === caller.id)
      if (isFinder) throw forbidden(NOT_A_MEETING)
      return reply.code(204).send(null)
    },
  )
}

/** Finders as the caller sees them. Two fellows may share a name, so a page cannot recognise its own user by name. */
const presentFinders = (caller: Caller, rows: FinderRow[]): Finder[] =>
  rows.map(({ accountId, fellowId, name, foundAt, via }) => ({
    fellow: { id: fellowId, name },
    isMe: accountId === caller.id,
    ...{ foundAt, via },
  }))
