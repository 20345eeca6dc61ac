import { Failure } from '#contract/errors.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/session.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { rightsOf } from '#server/records/policy.ts'
import { getRecord } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { refreshed } from './answers.ts'

/** The calls that enrich records of one kind. */
export function enrichmentRoutes(app: App, { db, enrichment }: Services, kind: RecordKind) {
  const { Refresh, Hints } = kind.contract
  const config = { audit: { action: 'enrich', kind: kind.name } }
  const response = { 200: Refresh, 202: Refresh, '4xx': Failure }

  app.post(
    `/${kind.path}/:id/enrich`,
    { config, schema: { params: RecordParams, body: Hints, response } },
    async (request, reply) => {
      const caller = callerOf(request)
      const record = await getRecord(db, kind, caller, request.params.id)
      // Hints decide what is written into the record, so they count as an edit. Hints of people without that right are
      // ignored.
      const hints = rightsOf(caller, record).edit ? request.body : {}
      const options = { hints, isRefresh: true, waiting: request.outsideShare }
      return refreshed(reply, await enrichment.enrich(kind.name, record, caller, options))
    },
  )

  app.post(
    `/${kind.path}/:id/refresh`,
    { config, schema: { params: RecordParams, response } },
    async (request, reply) => {
      const caller = callerOf(request)
      const record = await getRecord(db, kind, caller, request.params.id)
      const options = { isRefresh: true, waiting: request.outsideShare }
      return refreshed(reply, await enrichment.enrich(kind.name, record, caller, options))
    },
  )
}
