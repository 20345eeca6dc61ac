import { z } from 'zod'
import { DELETED_DAYS, DeletedQuery, DeletedRecord, RestoredRecord } from '#contract/deleted.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { doNotKeep, notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { type DeletedRow, listDeleted, restoreDeleted } from './store.ts'

const NOT_DELETED = 'There is no deleted record with this id'
const DAY_MS = 86_400_000

/** *Deleted by mistake*: the deleted records, and bringing them back. */
export function deletedRoutes(app: App, { db }: Services) {
  app.get(
    '/programme/deleted',
    head({
      ...{ operationId: 'listDeletedRecords', summary: 'List deleted records, newest first', tag: 'Programme' },
      query: DeletedQuery,
      answers: { 200: z.array(DeletedRecord) },
      isPaged: true,
    }),
    async (request, reply) =>
      sendPage(newest, request, reply, { rows: await listDeleted(db, pageRequest(newest, request)) }).map(present),
  )

  app.post(
    '/programme/deleted/:recordId/restore',
    head({
      ...{ operationId: 'restoreDeletedRecord', summary: 'Bring a deleted record back', tag: 'Programme' },
      audit: { action: 'restore' },
      params: z.object({ recordId: z.uuid({ error: NOT_DELETED }) }),
      answers: { 200: RestoredRecord },
      refusals: [notFound(NOT_DELETED), doNotKeep()],
    }),
    async (request) => {
      const restored = await restoreDeleted(db, callerOf(request), request.params.recordId)
      if (restored === undefined) throw notFound(NOT_DELETED)
      return restored
    },
  )
}

const present = ({ id, kind, name, createdAt, by }: DeletedRow): DeletedRecord => ({
  ...{ id, kind, name, deletedAt: createdAt.toISOString() },
  by,
  until: new Date(createdAt.getTime() + DELETED_DAYS * DAY_MS).toISOString(),
})
