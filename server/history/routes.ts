import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { HistoryEntry, HistoryQuery } from '#contract/history.ts'
import { RecordParams } from '#contract/record.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getNotesCount } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { presentHistory } from './present.ts'
import { listRecordHistory } from './store.ts'

/** The history of records of one kind. */
export function recordHistoryRoutes(app: App, { db }: Services, kind: RecordKind) {
  app.get(
    `/${kind.path}/:id/history`,
    {
      schema: {
        params: RecordParams,
        querystring: HistoryQuery,
        response: { 200: z.array(HistoryEntry), '4xx': Failure },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const page = pageRequest(request.query)
      // The count of notes throws the 404 for a record that does not exist.
      const [rows] = await Promise.all([
        listRecordHistory(db, { kind: kind.name, id }, page),
        getNotesCount(db, kind, id),
      ])
      return sendPage(request, reply, { rows, limit: page.limit }).map((row) =>
        presentHistory(kind.shownInHistory, row),
      )
    },
  )
}
