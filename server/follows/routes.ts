import { Follow } from '#contract/follow.ts'
import { RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { getKindOf, RECORD_REFUSALS } from '#server/records/store.ts'
import type { Services } from '#server/services.ts'
import { getFollow, putFollow } from './store.ts'

const shared = { tag: 'Overview', params: RecordParams, answers: { 200: Follow }, refusals: RECORD_REFUSALS }

/** What the caller has chosen to follow or to mute. No one else sees it, and it has no entry in the history. */
export function followRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  app.get(
    '/records/:id/follow',
    head({ ...{ operationId: 'getFollow', summary: 'Get what the caller has chosen for a record' }, ...shared }),
    async (request) => {
      const { id } = request.params
      await getKindOf(db, kinds, id)
      return { state: await getFollow(db, { id, caller: callerOf(request) }) }
    },
  )

  app.put(
    '/records/:id/follow',
    head({
      ...{ operationId: 'putFollow', summary: 'Follow or mute a record, or neither', ...shared },
      audit: { action: 'follow' },
      body: Follow,
    }),
    async (request) => {
      const { id } = request.params
      const { state } = request.body
      await getKindOf(db, kinds, id)
      const of = { id, caller: callerOf(request) }
      await putFollow(db, of, state)
      return { state: await getFollow(db, of) }
    },
  )
}
