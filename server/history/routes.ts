import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { HistoryEntry, HistoryQuery } from '#contract/history.ts'
import { RecordParams } from '#contract/record.ts'
import type { Database } from '#server/db/database.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { App, Services } from '#server/services.ts'
import { presentHistory } from './present.ts'
import { listRecordHistory } from './store.ts'

/** What a kind of record says of itself to show its history: where it is called, and which fields fellows may see. */
type Remembered = {
  path: string
  kind: string
  fields: readonly string[]
  /** Throws the 404 of a record that is not there. */
  ensure: (db: Database, id: string) => Promise<unknown>
}

/** The history of records of one kind. */
export function recordHistoryRoutes(app: App, { db }: Services, { path, kind, fields, ensure }: Remembered) {
  app.get(
    `${path}/:id/history`,
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
      const [rows] = await Promise.all([listRecordHistory(db, { kind, id }, page), ensure(db, id)])
      return sendPage(request, reply, { rows, limit: page.limit }).map((row) => presentHistory(fields, row))
    },
  )
}
