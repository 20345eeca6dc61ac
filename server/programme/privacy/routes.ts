import { z } from 'zod'
import { AccessReport, Erased, EraseInput, HITS_MAX, PersonHit, PersonSearch, ReportInput } from '#contract/privacy.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { opinions } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { busy, clientGone } from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { createLimiter } from '#server/http/limiter.ts'
import { rememberReading } from '#server/opinions/store.ts'
import type { Services } from '#server/services.ts'
import { gone, readChosen } from './chosen.ts'
import { erasePerson, getErasure, listCopies } from './erasure.ts'
import { notOurs } from './refs.ts'
import { accessReport } from './report.ts'
import { searchPerson } from './search.ts'

const tag = 'Programme'

/** What is held on a person: search, access report and erasure. */
export function privacyRoutes(app: App, { db, ledger }: Services) {
  // A search reads whole tables.
  const oneSearch = createLimiter({ atOnce: 1, waitingMax: 4, withinMs: 30_000 })

  app.post(
    '/programme/privacy/search',
    head({
      ...{ operationId: 'searchPerson', summary: 'Search everything for a person', tag },
      description: `At most ${HITS_MAX} results, records first. \`X-Total-Count\` ends in \`+\` where there are more.`,
      audit: { action: 'search-person' },
      body: PersonSearch,
      answers: { 200: z.array(PersonHit) },
      refusals: [busy(1)],
      rows: ANY_NUMBER,
    }),
    async (request, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort(clientGone()))
      const { hits, hasMore } = await oneSearch(() => searchPerson(db, callerOf(request), request.body, gone.signal))
      // Without what was searched, which is personal data.
      const detail = { count: hits.length, ...(request.body.comments && { comments: true }) }
      await recordAuditEntry(db, { action: 'search-person', by: callerOf(request), detail })
      reply.header('x-total-count', `${hits.length}${hasMore ? '+' : ''}`)
      return hits
    },
  )

  app.post(
    '/programme/privacy/report',
    head({
      ...{ operationId: 'createAccessReport', summary: 'Get everything held on a person', tag },
      ...{ confirms: true, audit: { action: 'access-report' } },
      body: ReportInput,
      answers: { 200: AccessReport },
      rows: ANY_NUMBER,
      refusals: [notOurs(), gone()],
    }),
    async (request) => {
      const chosen = await readChosen(db, request.body.refs)
      // Before it is opened, so that no failure afterwards leaves it out.
      await rememberReading(db, callerOf(request), {
        recordIds: chosen.trees,
        opinionIds: chosen.values.flatMap(({ entry, key }) => (entry.table === opinions ? key : [])),
      })
      const report = await accessReport(db, chosen)
      const detail = { records: chosen.records.map(({ id }) => id), values: chosen.values.length }
      await recordAuditEntry(db, { action: 'access-report', by: callerOf(request), detail })
      return report
    },
  )

  app.post(
    '/programme/privacy/erase',
    head({
      ...{ operationId: 'erasePerson', summary: 'Erase everything held on a person', tag },
      ...{ confirms: true, audit: { action: 'erase', kind: 'erasure' } },
      body: EraseInput,
      answers: { 200: Erased },
      rows: ANY_NUMBER,
      refusals: [notOurs(), gone()],
      isIdempotent: true,
    }),
    async (request) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const { erasureId, ...copies } = await withIdempotency(
        db,
        key,
        () => erasePerson({ db, ledger }, caller, key, request.body),
        (id) => getErasure(db, id),
      )
      return { erasureId, exports: await listCopies(db, copies) }
    },
  )
}
