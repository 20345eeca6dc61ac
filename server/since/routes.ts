import { z } from 'zod'
import { Since, SinceParams, SinceSeen } from '#contract/since.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { notFound } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { Services } from '#server/services.ts'
import { countSince, setSeen } from './store.ts'

const tag = 'Overview'

/** *Since you were last here*: numbers, each with the list that it stands for. */
export function sinceRoutes(app: App, { db, secret }: Services, kinds: readonly RecordKind[]) {
  app.get(
    '/since',
    head({
      ...{ operationId: 'getSince', summary: 'Count what others have added since the caller was last here', tag },
      scope: 'read',
      answers: { 200: Since },
    }),
    async (request) => countSince({ db, secret }, kinds, callerOf(request)),
  )

  app.post(
    '/since/:key/seen',
    head({
      ...{ operationId: 'setSeen', summary: 'Clear a number', tag },
      audit: { action: 'seen' },
      params: SinceParams,
      body: SinceSeen,
      answers: { 204: z.null().describe('Cleared') },
      refusals: [notFound('There is no such count')],
    }),
    async (request, reply) => {
      const { key } = request.params
      await setSeen(db, callerOf(request), key, request.body.until)
      return reply.code(204).send(null)
    },
  )
}
