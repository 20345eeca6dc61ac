import { Dashboard, RECENT_COUNT } from '#contract/dashboard.ts'
import { Failure } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { callerOf } from '#server/auth/session.ts'
import { presentFounder } from '#server/founders/present.ts'
import { listFounders } from '#server/founders/store.ts'
import type { Services } from '#server/services.ts'
import { listFellows } from './store.ts'

export function dashboardRoutes(app: App, { db }: Services) {
  app.get('/dashboard', { schema: { response: { 200: Dashboard, '4xx': Failure } } }, async (request) => {
    const caller = callerOf(request)
    const [fellows, recentFounders] = await Promise.all([
      listFellows(db),
      listFounders(db, caller, {}, { limit: RECENT_COUNT - 1, after: undefined }),
    ])
    return {
      founders: fellows.reduce((sum, fellow) => sum + fellow.founders, 0),
      fellows,
      recentFounders: recentFounders.map((row) => presentFounder(caller, row)),
    }
  })
}
