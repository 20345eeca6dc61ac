import { z } from 'zod'
import { conflictWith, Failure } from '#contract/errors.ts'
import { IdempotencyHeaders } from '#contract/idempotency.ts'
import { MergedInConflict } from '#contract/merge.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/session.ts'
import { changedMeanwhile, mergedIn } from '#server/http/errors.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import type { App, Services } from '#server/services.ts'
import type { RecordKind } from './kind.ts'
import { listOpenMerges } from './merged.ts'
import { pageRequest, sendPage } from './paging.ts'
import { authorizeDelete, authorizeEdit, hasToUndoFirst } from './policy.ts'
import type { RecordRow } from './row.ts'
import { getRecord, listRecords } from './store.ts'
import { createRecord, deleteRecord, updateRecord } from './write.ts'

/** The calls on records of one kind. */
export function recordRoutes(app: App, { db, enrichment }: Services, kind: RecordKind) {
  const { Record, Input, Patch, ListQuery, Created } = kind.contract
  const audit = (action: string) => ({ audit: { action, kind: kind.name } })

  app.get(
    `/${kind.path}`,
    { schema: { querystring: ListQuery, response: { 200: z.array(Record), '4xx': Failure } } },
    async (request, reply) => {
      const caller = callerOf(request)
      const { search, mine, [kind.lookup.field]: address } = request.query
      const page = pageRequest(request.query)
      const list = await listRecords(db, kind, caller, { search, address, mine: mine === 'true' }, page)
      return sendPage(request, reply, { ...list, limit: page.limit }).map((row) => kind.present(caller, row))
    },
  )

  app.get(
    `/${kind.path}/:id`,
    { schema: { params: RecordParams, response: { 200: Record, '4xx': Failure } } },
    async (request) => {
      const caller = callerOf(request)
      return kind.present(caller, await getRecord(db, kind, caller, request.params.id))
    },
  )

  app.post(
    `/${kind.path}`,
    {
      config: audit('create'),
      schema: { headers: IdempotencyHeaders, body: Input, response: { 201: Created, '4xx': Failure } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const record = await withIdempotency(
        db,
        key,
        () => createRecord(db, kind, caller, request.body, key),
        (madeId) => getRecord(db, kind, caller, madeId),
      )
      const found = await enrichment.lookUpNew(kind.name, record, caller, request.outsideShare)
      return reply.code(201).send({ ...kind.present(caller, await getRecord(db, kind, caller, record.id)), ...found })
    },
  )

  app.put(
    `/${kind.path}/:id`,
    {
      config: audit('update'),
      schema: {
        params: RecordParams,
        body: Patch,
        response: { 200: Record, 409: conflictWith(Record), '4xx': Failure },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const record = await getRecord(db, kind, caller, request.params.id)
      authorizeEdit(caller, record)
      const updated = await updateRecord(db, kind, caller, record, request.body)
      if (updated === undefined) {
        throw changedMeanwhile(kind.present(caller, await getRecord(db, kind, caller, record.id)))
      }
      return kind.present(caller, updated)
    },
  )

  app.delete(
    `/${kind.path}/:id`,
    {
      config: audit('delete'),
      schema: {
        params: RecordParams,
        response: { 204: z.null().describe('Deleted'), 409: MergedInConflict, '4xx': Failure },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      let record: RecordRow
      do {
        record = await getRecord(db, kind, caller, request.params.id)
        if (hasToUndoFirst(caller, record)) throw mergedIn(await listOpenMerges(db, record.id))
        authorizeDelete(caller, record)
      } while (!(await deleteRecord(db, kind, caller, record)))
      return reply.code(204).send(null)
    },
  )
}
