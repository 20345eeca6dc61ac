import { Readable } from 'node:stream'
import { z } from 'zod'
import { EXPORTED_MAX, type ExportQuery, exportQuery } from '#contract/export.ts'
import type { Kind } from '#contract/kinds.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { isConfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { compressStream } from '#server/http/compress.ts'
import { confirmFirst } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { recordQuery } from '#server/lists/query.ts'
import { listRecords } from '#server/lists/store.ts'
import { today } from '#server/records/days.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { isManager, refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { authorizeFiltered, refuseMore } from './policy.ts'
import { countExported, eachRecord, lockExports } from './store.ts'
import { formats } from './write.ts'

const StreamedText = z.unknown().meta({ type: 'string' })

const ExportFile = {
  description: 'The file: comma-separated values, or one JSON object per line',
  content: { 'text/csv': { schema: StreamedText }, 'application/x-ndjson': { schema: StreamedText } },
}

/** The export of records of one kind: all records of a list with the same filters, streamed. */
export function exportRoutes(app: App, { db, secret }: Services, kind: RecordKind) {
  app.get(
    `/${kind.path}/export`,
    {
      // A HEAD request would write the whole file and send nothing.
      exposeHeadRoute: false,
      ...head({
        ...{ operationId: `export${kind.plural}`, summary: `Export ${kind.path} as a file`, tag: kind.plural },
        ...{ isExport: true, audit: { action: 'export', kind: kind.name } },
        query: exportQuery(kind.contract.ListQuery),
        answers: { 200: ExportFile },
        refusals: [refusal(rights.exportAll), confirmFirst(), refusal(rights.programme)],
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { format, ...filters } = request.query
      const query = await recordQuery({ db, secret }, kind, caller, filters)
      const isMine = query.filters.mine !== undefined
      const audit = (tx: Database, count: number, isComplete: boolean) =>
        recordAuditEntry(tx, {
          action: 'export',
          by: caller,
          kind: kind.name,
          detail: { format, ...filters, count, isComplete },
          ...(!isMine && { exportedCount: count }),
        })

      async function* wholeFile() {
        let count = 0
        let isComplete = false
        yield formats[format].head
        try {
          for await (const rows of eachRecord(db, kind, caller, query)) {
            const text = await formats[format].write(db, kind, caller, rows)
            count += rows.length
            yield text
          }
          isComplete = true
        } finally {
          // Runs also when the client has disconnected. If recording fails, the file ends as incomplete.
          await audit(db, count, isComplete)
        }
      }

      /** Of so many records that they are read at once, and counted before the file begins. */
      async function smallFile() {
        authorizeFiltered(query)
        const { rows, next } = await listRecords(db, kind, caller, query, { limit: EXPORTED_MAX, after: undefined })
        const text = await formats[format].write(db, kind, caller, rows)
        await db.transaction(async (tx) => {
          await lockExports(tx, caller)
          refuseMore(next === undefined ? rows.length : EXPORTED_MAX + 1, await countExported(tx, caller))
          await audit(tx, rows.length, true)
        })
        return [formats[format].head, text]
      }

      /** Whether a manager exports more than a fellow may. It is counted only where the answer depends on it. */
      async function asksForProof() {
        if (isMine || !isManager(caller) || isConfirmed(request)) return false
        const { next } = await listRecords(db, kind, caller, query, { limit: EXPORTED_MAX, after: undefined })
        return next !== undefined
      }

      if (await asksForProof()) throw confirmFirst()
      const file = isMine || rights.exportAll.allows(caller, await hasManager(db)) ? wholeFile() : await smallFile()
      const lines = compressStream(request, reply, Readable.from(file, { objectMode: false }))
      return reply
        .type(formats[format].type)
        .header('content-disposition', `attachment; filename="${fileName(kind, request.query, isMine)}"`)
        .send(lines)
    },
  )
}

const fileName = ({ path }: Kind, { format, timeZone = 'UTC' }: ExportQuery, isMine: boolean) =>
  `${isMine ? 'my-' : ''}${path}-${today(timeZone)}.${format}`
