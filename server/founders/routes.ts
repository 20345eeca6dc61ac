import { z } from 'zod'
import { conflictWith, Failure } from '#contract/errors.ts'
import {
  Founder,
  FounderCreated,
  FounderEnrichHints,
  FounderInput,
  FounderListQuery,
  FounderPatch,
  FounderRefresh,
} from '#contract/founder.ts'
import { PictureQuery } from '#contract/picture.ts'
import { RecordParams } from '#contract/record.ts'
import { type Account, callerOf } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { notes } from '#server/db/schema.ts'
import { createdWith, refreshed } from '#server/enrichment/answers.ts'
import { changedMeanwhile, notFound } from '#server/errors.ts'
import { recordNoteRoutes } from '#server/notes/routes.ts'
import { countLabel, pageRequest, sendPage } from '#server/records/paging.ts'
import { authorizeDelete, authorizeEdit } from '#server/records/policy.ts'
import type { App, Services } from '#server/services.ts'
import { founderEnrichment } from './enrichment.ts'
import { getPicture, sendPicture } from './pictures.ts'
import { presentFounder } from './present.ts'
import {
  countAllFounders,
  countFounders,
  createFounder,
  deleteFounder,
  getFounder,
  getFounderNotesCount,
  listFounders,
  updateFounder,
} from './store.ts'

const Picture = { description: 'A picture, re-encoded', content: { 'image/webp': { schema: z.unknown() } } }

const noSuchFounder = () => notFound('There is no founder with this id')

async function load(db: Database, caller: Account, id: string) {
  const founder = await getFounder(db, caller, id)
  if (founder === undefined) throw noSuchFounder()
  return founder
}

export function founderRoutes(app: App, services: Services) {
  const { db, enrichment } = services

  app.get(
    '/founders',
    { schema: { querystring: FounderListQuery, response: { 200: z.array(Founder), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const { search, linkedIn, mine } = request.query
      const filter = { search, linkedIn, mine: mine === 'true' }
      const page = pageRequest(request.query)
      const [rows, total] = await Promise.all([
        listFounders(db, caller, filter, page),
        filter.search || filter.linkedIn !== undefined || filter.mine
          ? countFounders(db, caller, filter).then(countLabel)
          : countAllFounders(db).then(String),
      ])
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
    { schema: { body: FounderInput, response: { 201: FounderCreated, '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await createFounder(db, caller, request.body)
      const found = await createdWith(request, enrichment.enrich(founderEnrichment, id))
      return reply.code(201).send({ ...presentFounder(caller, await load(db, caller, id)), ...found })
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
      const updated = await updateFounder(db, founder, request.body)
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
      await deleteFounder(db, founder.id)
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
      const { id } = await load(db, callerOf(request), request.params.id)
      return refreshed(reply, await enrichment.enrich(founderEnrichment, id, request.body))
    },
  )

  app.post(
    '/founders/:id/refresh',
    { schema: { params: RecordParams, response: { 200: FounderRefresh, 202: FounderRefresh, '4xx': Failure } } },
    async (request, reply) => {
      const { id } = await load(db, callerOf(request), request.params.id)
      return refreshed(reply, await enrichment.enrich(founderEnrichment, id))
    },
  )

  recordNoteRoutes(app, services, {
    path: '/notes/founder',
    column: notes.founderId,
    countNotes: async (database, id) => {
      const count = await getFounderNotesCount(database, id)
      if (count === undefined) throw noSuchFounder()
      return count
    },
  })
}
