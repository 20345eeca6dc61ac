import { z } from 'zod'
import { HistoryEntry, HistoryQuery } from '#contract/history.ts'
import { withArticle } from '#contract/plain-text.ts'
import { RecordParams } from '#contract/record.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getNotesCount, RECORD_REFUSALS } from '#server/records/store.ts'
import type { Services } from '#server/services.ts'
import { presentHistory } from './present.ts'
import { listRecordHistory } from './store.ts'

/** The history of records of one kind. */
export function recordHistoryRoutes(app: App, { db }: Services, kind: RecordKind) {
  app.get(
    `/${kind.path}/:id/history`,
    head({
      ...{ operationId: `list${kind.label}History`, tag: kind.plural },
      summary: `List the changes of ${withArticle(kind.name)}, newest first`,
      params: RecordParams,
      query: HistoryQuery,
      answers: { 200: z.array(HistoryEntry) },
      refusals: RECORD_REFUSALS,
      isPaged: true,
    }),
    async (request, reply) => {
      const { id } = request.params
      const page = pageRequest(newest, request)
      // The count of notes throws the 404 for a record that does not exist.
      const [rows] = await Promise.all([
        listRecordHistory(db, { kind: kind.name, id }, page),
        getNotesCount(db, kind, id),
      ])
      return sendPage(newest, request, reply, { rows }).map((row) => presentHistory(kind.shownInHistory, row))
    },
  )
}
