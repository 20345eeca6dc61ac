import { z } from 'zod'
import { Change, ChangesQuery } from '#contract/changes.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { head } from '#server/http/head.ts'
import { newest } from '#server/records/cursor.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { App, Services } from '#server/services.ts'
import { presentChange } from './present.ts'
import { listChanges } from './store.ts'

/** *Recent changes*: what fellows did to several records, and whether the caller may undo it. */
export function changeRoutes(app: App, { db }: Services) {
  app.get(
    '/changes',
    head({
      ...{
        operationId: 'listChanges',
        summary: 'List recent merges, dismissals, imports, acts on many records, and deletions',
        tag: 'Duplicates',
      },
      query: ChangesQuery,
      answers: { 200: z.array(Change) },
      isPaged: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const page = await listChanges(db, caller, pageRequest(newest, request))
      return sendPage(newest, request, reply, page).map((row) => presentChange(caller, row))
    },
  )
}
