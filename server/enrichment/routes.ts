import { withArticle } from '#contract/plain-text.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { getRecord } from '#server/lists/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { rightsOf } from '#server/records/policy.ts'
import { RECORD_REFUSALS } from '#server/records/store.ts'
import type { Services } from '#server/services.ts'
import { refreshed } from './answers.ts'

/** The calls that enrich records of one kind. */
export function enrichmentRoutes(app: App, { db, enrichment }: Services, kind: RecordKind) {
  const { Refresh, Hints } = kind.contract
  const { label, plural: tag } = kind
  const one = withArticle(kind.name)
  const shared = {
    audit: { action: 'enrich' as const, kind: kind.name },
    params: RecordParams,
    answers: { 200: Refresh, 202: Refresh },
    refusals: RECORD_REFUSALS,
  }

  app.post(
    `/${kind.path}/:id/enrich`,
    head({
      ...{ operationId: `enrich${label}`, summary: `Look up the public data of ${one}, with hints`, tag },
      body: Hints,
      ...shared,
    }),
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
    head({
      operationId: `refresh${label}`,
      summary: `Look up the public data of ${one} again`,
      tag,
      ...shared,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const record = await getRecord(db, kind, caller, request.params.id)
      const options = { isRefresh: true, waiting: request.outsideShare }
      return refreshed(reply, await enrichment.enrich(kind.name, record, caller, options))
    },
  )
}
