import { z } from 'zod'
import { NotTheSame } from '#contract/duplicates.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { invalid } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { getRecordOfAny } from '#server/lists/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { RECORD_REFUSALS } from '#server/records/store.ts'
import type { Services } from '#server/services.ts'
import { dismissPair, undoDismissal } from './dismissals.ts'

/** Marking two records as not the same, and undoing it. */
export function dismissalRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  for (const [method, act, action, operationId, summary] of [
    ['POST', dismissPair, 'dismiss-duplicate', 'dismissDuplicate', 'Mark two records as not the same'],
    ['DELETE', undoDismissal, 'undo-dismissal', 'undoDismissal', 'Take back that two records are not the same'],
  ] as const) {
    app.route({
      method,
      url: '/duplicates/dismiss',
      ...head({
        ...{ operationId, summary, tag: 'Duplicates' },
        scope: 'none',
        audit: { action },
        body: NotTheSame,
        answers: { 204: z.null().describe('Remembered') },
        refusals: RECORD_REFUSALS,
      }),
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const { kind, record } = await getRecordOfAny(db, kinds, caller, request.body.a)
        const other = await getRecordOfAny(db, kinds, caller, request.body.b)
        if (other.kind !== kind) throw invalid({ b: 'Records of different kinds are never the same' })
        await act(db, kind, caller, record.id, other.record.id)
        return reply.code(204).send(null)
      },
    })
  }
}
