import { z } from 'zod'
import {
  Company,
  CompanyCreated,
  CompanyEnrichHints,
  CompanyEnrichment,
  CompanyInput,
  CompanyListQuery,
  CompanyPatch,
  CompanyRefresh,
} from '#contract/company.ts'
import { conflictWith, Failure } from '#contract/errors.ts'
import { OnceHeaders } from '#contract/once.ts'
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
import { companyEnrichment } from './enrichment.ts'
import { presentCompany } from './present.ts'
import {
  createCompany,
  deleteCompany,
  getCompany,
  getCompanyNotesCount,
  listCompanies,
  updateCompany,
} from './store.ts'

const noSuchCompany = () => notFound('There is no company with this id')

async function load(db: Database, caller: Account, id: string) {
  const company = await getCompany(db, caller, id)
  if (company === undefined) throw noSuchCompany()
  return company
}

/** The number of notes of a company; throws the 404 of one that is not there. */
async function countNotes(db: Database, id: string) {
  const count = await getCompanyNotesCount(db, id)
  if (count === undefined) throw noSuchCompany()
  return count
}

/** The fields whose changes fellows see, in the order in which they are told. */
const shownInHistory = ['name', 'website', 'linkedIn', 'notes', 'rating', ...CompanyEnrichment.keyof().options]

export function companyRoutes(app: App, services: Services) {
  const { db, enrichment, many, searchTurn } = services

  app.get(
    '/companies',
    { schema: { querystring: CompanyListQuery, response: { 200: z.array(Company), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const { search, website, mine } = request.query
      const filter = { search, website, mine: mine === 'true' }
      const page = pageRequest(request.query)
      const list = () => listCompanies(db, caller, filter, page, many)
      const { rows, total } = await (search ? searchTurn(list) : list())
      return sendPage(request, reply, { rows, limit: page.limit, total }).map((row) => presentCompany(caller, row))
    },
  )

  app.get(
    '/companies/:id',
    { schema: { params: RecordParams, response: { 200: Company, '4xx': Failure } } },
    async (request) => {
      const caller = callerOf(request)
      return presentCompany(caller, await load(db, caller, request.params.id))
    },
  )

  app.post(
    '/companies',
    { schema: { headers: OnceHeaders, body: CompanyInput, response: { 201: CompanyCreated, '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const once = onceOf(request)
      const made = await orMadeBefore(
        db,
        once,
        () => createCompany(db, caller, request.body, once),
        (madeId) => load(db, caller, madeId),
      )
      const isNew = made.enrichment.last === undefined
      const found = isNew ? await createdWith(request, enrichment.enrich(companyEnrichment, made, caller)) : {}
      return reply.code(201).send({ ...presentCompany(caller, await load(db, caller, made.id)), ...found })
    },
  )

  app.put(
    '/companies/:id',
    {
      schema: {
        params: RecordParams,
        body: CompanyPatch,
        response: { 200: Company, 409: conflictWith(Company), '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const company = await load(db, caller, request.params.id)
      authorizeEdit(caller, company)
      const updated = await updateCompany(db, caller, company, request.body)
      if (updated === undefined) throw changedMeanwhile(presentCompany(caller, await load(db, caller, company.id)))
      return presentCompany(caller, updated)
    },
  )

  app.delete(
    '/companies/:id',
    { schema: { params: RecordParams, response: { 204: z.null().describe('Deleted'), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const company = await load(db, caller, request.params.id)
      authorizeDelete(caller, company)
      await deleteCompany(db, caller, company.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/companies/:id/enrich',
    {
      schema: {
        params: RecordParams,
        body: CompanyEnrichHints,
        response: { 200: CompanyRefresh, 202: CompanyRefresh, '4xx': Failure },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const company = await load(db, caller, request.params.id)
      // Hints decide what is written into the record, so they are an edit of it; those of others are left out.
      const hints = rightsOf(caller, company).edit ? request.body : {}
      return refreshed(reply, await enrichment.enrich(companyEnrichment, company, caller, { hints, isRefresh: true }))
    },
  )

  app.post(
    '/companies/:id/refresh',
    { schema: { params: RecordParams, response: { 200: CompanyRefresh, 202: CompanyRefresh, '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const company = await load(db, caller, request.params.id)
      return refreshed(reply, await enrichment.enrich(companyEnrichment, company, caller, { isRefresh: true }))
    },
  )

  recordNoteRoutes(app, services, {
    path: '/notes/company',
    column: notes.companyId,
    countNotes,
  })

  recordHistoryRoutes(app, services, {
    path: '/companies',
    kind: 'company',
    fields: shownInHistory,
    ensure: countNotes,
  })
}
