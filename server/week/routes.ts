import { z } from 'zod'
import { NO_WEEK, WEEK_SHOWN, Week, WeekParams } from '#contract/week.ts'
import { sendCsv } from '#server/audit-log/csv.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { Services } from '#server/services.ts'
import { weekFile } from './csv.ts'
import { getWeek } from './store.ts'

const tag = 'Figures'

/** The number of records that the file names beside a number. */
const FILE_SHOWN = 1_000

const WeekFile = {
  description: 'The file: comma-separated values, one record a line',
  content: { 'text/csv': { schema: z.unknown().meta({ type: 'string' }) } },
}

/** What a week has brought, for managers: read when it is asked for. Each number has the list of its records. */
export function weekRoutes(managed: App, { db, secret }: Services, kinds: readonly RecordKind[]) {
  managed.get(
    '/programme/week/:week',
    head({
      ...{ operationId: 'getWeek', summary: 'Get the list of a week', tag },
      params: WeekParams,
      refusals: [notFound(NO_WEEK)],
      answers: { 200: Week },
    }),
    async (request) =>
      getWeek({ db, secret }, kinds, callerOf(request), { week: request.params.week, shown: WEEK_SHOWN }),
  )

  managed.get(
    '/programme/week/:week.csv',
    {
      // A HEAD request would be in the history without a file.
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: 'exportWeek', summary: 'Export the list of a week as a file', tag },
        ...{ isExport: true, audit: { action: 'export', kind: 'week' } },
        params: WeekParams,
        refusals: [notFound(NO_WEEK)],
        answers: { 200: WeekFile },
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { week } = request.params
      const read = await getWeek({ db, secret }, kinds, caller, { week, shown: FILE_SHOWN })
      const count = read.groups.reduce((sum, { records }) => sum + records.length, 0)
      await recordAuditEntry(db, { action: 'export', by: caller, kind: 'week', detail: { week, count } })
      return sendCsv(reply, `week-${week}.csv`, weekFile(read))
    },
  )
}
