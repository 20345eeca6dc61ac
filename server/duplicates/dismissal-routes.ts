import { z } from 'zod'
import { NotTheSame } from '#contract/duplicates.ts'
import { Failure } from '#contract/errors.ts'
import { callerOf } from '#server/auth/session.ts'
import { invalid } from '#server/http/errors.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { getRecordOfAny } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { dismissPair, undoDismissal } from './dismissals.ts'

/** Marking two records as not the same, and undoing it. */
export function dismissalRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  for (const [method, act, action] of [
    ['POST', dismissPair, 'dismiss-duplicate'],
    ['DELETE', undoDismissal, 'undo-dismissal'],
  ] as const) {
    app.route({
      method,
      url: '/duplicates/dismiss',
      config: { audit: { action } },
      schema: { body: NotTheSame, response: { 204: z.null().describe('Remembered'), '4xx': Failure } },
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const { kind, record } = await getRecordOfAny(db, kinds, caller, request.body.a)
        const other = await getRecordOfAny(db, kinds, caller, request.body.b)
        if (other.kind !== kind) throw invalid({ b: 'A founder and a company are never the same' })
        await act(db, kind, caller, record.id, other.record.id)
        return reply.code(204).send(null)
      },
    })
  }
}
