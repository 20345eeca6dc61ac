import { z } from 'zod'
import { conflictWith, Failure } from '#contract/errors.ts'
import {
  Founder,
  FounderCreated,
  FounderEnrichHints,
  FounderEnrichment,
  FounderInput,
  FounderListQuery,
  FounderPatch,
  FounderRefresh,
} from '#contract/founder.ts'
import { OnceHeaders } from '#contract/once.ts'
import { PictureQuery } from '#contract/picture.ts'
import { RecordParams } from '#contract/record.ts'
import { type Account, callerOf } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { notes } from '#server/db/schema.ts'
import { createdWith, refreshed } from '#server/enrichment/answers.ts'
import { changedMeanwhile, notFound } from '#server/errors.ts'
import { recordHistoryRoutes } from '#server/history/routes.ts'
import { recordNoteRoutes } from '#server/notes/routes.ts'
import { onceOf, orMadeBefore } from '#server/records/once.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { authorizeDelete, authorizeEdit, rightsOf } from '#server/records/policy.ts'
import type { App, Services } from '#server/services.ts'
import { founderEnrichment } from './enrichment.ts'
import { getPicture, sendPicture } from './pictures.ts'
import { presentFounder } from './present.ts'
import { createFounder, deleteFounder, getFounder, getFounderNotesCount, listFounders, updateFounder } from './store.ts'

const Picture = { description: 'A picture, re-encoded', content: { 'image/webp': { schema: z.unknown() } } }

const noSuchFounder = () => notFound('There is no founder with this id')

async function load(db: Database, caller: Account, id: string) {
  const founder = await getFounder(db, caller, id)
  if (founder === undefined) throw noSuchFounder()
  return founder
}

/** The number of notes of a founder; throws the 404 of one that is not there. */
async function countNotes(db: Database, id: string) {
  const count = await getFounderNotesCount(db, id)
  if (count === undefined) throw noSuchFounder()
  return count
}

/** The fields whose changes fellows see, in the order in which they are told. */
const shownInHistory = ['name', 'linkedIn', 'notes', 'rating', ...FounderEnrichment.keyof().options]

export function founderRoutes(app: App, services: Services) {
  const { db, enrichment, many, searchTurn } = services

  app.get(
    '/founders',
    { schema: { querystring: FounderListQuery, response: { 200: z.array(Founder), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const { search, linkedIn, mine } = request.query
      const filter = { search, linkedIn, mine: mine === 'true' }
      const page = pageRequest(request.query)
      const list = () => listFounders(db, caller, filter, page, many)
      const { rows, total } = await (search ? searchTurn(list) : list())
      return sendPage(request, reply, { rows, limit: page.limit, total }).map((row) => presentFounder(caller, row))
    },
  )

  app.get(
    '/founders/:id',
    { schema: { params: RecordParams, response: { 200: Founder, '4xx': Failure } } },
    async (request) => {
      const caller = callerOf(request)
      return presentFounder(caller, await load(db, caller, request.params.id))
    },
  )

  app.post(
    '/founders',
    { schema: { headers: OnceHeaders, body: FounderInput, response: { 201: FounderCreated, '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const once = onceOf(request)
      const made = await orMadeBefore(
        db,
        once,
        () => createFounder(db, caller, request.body, once),
        (madeId) => load(db, caller, madeId),
      )
      const isNew = made.enrichment.last === undefined
      const found = isNew ? await createdWith(request, enrichment.enrich(founderEnrichment, made, caller)) : {}
      return reply.code(201).send({ ...presentFounder(caller, await load(db, caller, made.id)), ...found })
    },
  )

  app.put(
    '/founders/:id',
    {
      schema: {
        params: RecordParams,
        body: FounderPatch,
        response: { 200: Founder, 409: conflictWith(Founder), '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const founder = await load(db, caller, request.params.id)
      authorizeEdit(caller, founder)
      const updated = await updateFounder(db, caller, founder, request.body)
      if (updated === undefined) throw changedMeanwhile(presentFounder(caller, await load(db, caller, founder.id)))
      return presentFounder(caller, updated)
    },
  )

  app.get(
    '/founders/:id/picture',
    { schema: { params: RecordParams, querystring: PictureQuery, response: { 200: Picture, '4xx': Failure } } },
    async (request, reply) => {
      const picture = await getPicture(db, request.params.id, request.query.size)
      if (picture === undefined) throw notFound('There is no picture of this founder')
      return sendPicture(request, reply, picture)
    },
  )

  app.delete(
    '/founders/:id',
    { schema: { params: RecordParams, response: { 204: z.null().describe('Deleted'), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const founder = await load(db, caller, request.params.id)
      authorizeDelete(caller, founder)
      await deleteFounder(db, caller, founder.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/founders/:id/enrich',
    {
      schema: {
        params: RecordParams,
        body: FounderEnrichHints,
        response: { 200: FounderRefresh, 202: FounderRefresh, '4xx': Failure },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const founder = await load(db, caller, request.params.id)
      // Hints decide what is written into the record, so they are an edit of it; those of others are left out.
      const hints = rightsOf(caller, founder).edit ? request.body : {}
      return refreshed(reply, await enrichment.enrich(founderEnrichment, founder, caller, { hints, isRefresh: true }))
    },
  )

  app.post(
    '/founders/:id/refresh',
    { schema: { params: RecordParams, response: { 200: FounderRefresh, 202: FounderRefresh, '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const founder = await load(db, caller, request.params.id)
      return refreshed(reply, await enrichment.enrich(founderEnrichment, founder, caller, { isRefresh: true }))
    },
  )

  recordNoteRoutes(app, services, {
    path: '/notes/founder',
    column: notes.founderId,
    countNotes,
  })

  recordHistoryRoutes(app, services, { path: '/founders', kind: 'founder', fields: shownInHistory, ensure: countNotes })
}
