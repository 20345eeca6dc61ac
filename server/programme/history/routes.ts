import { Readable } from 'node:stream'
import { z } from 'zod'
import { operatorReads } from '#contract/audit-actions.ts'
import { PastAct, PastActsExport, PastActsQuery } from '#contract/programme-history.ts'
import { csvLine } from '#server/audit-log/csv.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type AuditSearch, eachAuditEntry, searchAuditLog } from '#server/audit-log/search.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { compressStream } from '#server/http/compress.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import { endOfDay, startOfDay, today } from '#server/records/days.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { COLUMNS, presentAct } from './present.ts'
import { namesOf } from './store.ts'

const tag = 'Programme'

const ActsFile = {
  description: 'The file: comma-separated values, oldest first',
  content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
}

/** What everyone did: the audit log, for managers. */
export function historyRoutes(app: App, { db }: Services) {
  app.get(
    '/programme/history',
    head({
      ...{ operationId: 'listPastActs', summary: 'List what everyone did, newest first', tag },
      query: PastActsQuery,
      answers: { 200: z.array(PastAct) },
      isPaged: true,
    }),
    async (request, reply) => {
      const { limit, after } = pageRequest(newest, request)
      const found = await searchAuditLog(db, searchOf(request.query), limit + 1, after)
      const rows = sendPage(newest, request, reply, {
        rows: found.map((row) => ({ ...row, createdAt: new Date(row.at) })),
      })
      const names = await namesOf(db, rows)
      return rows.map((row) => presentAct(row, names))
    },
  )

  app.get(
    '/programme/history/export',
    {
      // A HEAD request would write the whole file and send nothing.
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: 'exportPastActs', summary: 'Export what everyone did as a file', tag },
        ...{ isExport: true, confirms: true, audit: { action: 'export', kind: 'history' } },
        query: PastActsExport,
        answers: { 200: ActsFile },
      }),
    },
    async (request, reply) => {
      const search = searchOf(request.query)
      await recordAuditEntry(db, {
        action: 'export',
        by: callerOf(request),
        kind: 'history',
        detail: { ...request.query, action: request.query.action?.join() },
      })
      async function* file() {
        yield `\uFEFF${csvLine([...COLUMNS])}\r\n`
        for await (const rows of eachAuditEntry(db, search)) {
          yield rows.map((row) => `${csvLine(COLUMNS.map((name) => row[name]))}\r\n`).join('')
        }
      }
      const name = `history-${today(request.query.timeZone ?? 'UTC')}.csv`
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(compressStream(request, reply, Readable.from(file(), { objectMode: false })))
    },
  )
}

const searchOf = ({
  person,
  action,
  record,
  after,
  before,
  timeZone = 'UTC',
}: z.output<typeof PastActsExport>): AuditSearch => ({
  ...{ person, actions: action, id: record },
  // Managers are blind too.
  without: operatorReads,
  since: after === undefined ? undefined : startOfDay(after, timeZone),
  until: before === undefined ? undefined : endOfDay(before, timeZone),
})
