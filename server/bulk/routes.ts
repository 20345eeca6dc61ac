import { BULK_MAX, BULK_OTHERS_MAX, BulkInput, BulkOutcome, BulkParams, BulkUndone, NO_BULK } from '#contract/bulk.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { AppError, notFound, tooManyChanges } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { changeMany, getOutcome } from './store.ts'
import { UNDONE, undoMany } from './undo.ts'

/** One act on many records of any kind, and its undo. */
export function bulkRoutes(app: App, { db }: Services) {
  const tag = 'Tags'

  app.post(
    '/records/bulk',
    head({
      ...{
        operationId: 'changeRecords',
        scope: 'none',
        summary: 'Give many records a tag, a stage or a responsible fellow, or pass them',
        tag,
      },
      audit: { action: 'bulk' },
      body: BulkInput,
      answers: { 200: BulkOutcome },
      refusals: [tooManyChanges(BULK_OTHERS_MAX, 1)],
      rows: ({ body }) => body.ids.length,
      isIdempotent: true,
    }),
    async (request) => {
      const caller = callerOf(request)
      const key = idempotencyKeyOf(request, caller.id)
      const act = await withIdempotency(
        db,
        key,
        () => changeMany(db, caller, request.body, key),
        async (id) => ({ id }),
      )
      return getOutcome(db, act)
    },
  )

  app.post(
    '/records/bulk/:id/undo',
    head({
      ...{ operationId: 'undoRecordChanges', summary: 'Undo an act on many records', tag },
      scope: 'none',
      audit: { action: 'undo-bulk' },
      params: BulkParams,
      rows: () => BULK_MAX,
      answers: { 200: BulkUndone },
      refusals: [notFound(NO_BULK), refusal(rights.undoBulk), new AppError(409, UNDONE)],
    }),
    async (request) => undoMany(db, callerOf(request), request.params.id),
  )
}
