import { Dashboard, DashboardQuery } from '#contract/dashboard.ts'
import { RECENT_COUNT } from '#contract/limits.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { kinds } from '#server/kinds.ts'
import { listNewestRecords } from '#server/lists/store.ts'
import { countNextSteps } from '#server/pipeline/next-steps.ts'
import type { Services } from '#server/services.ts'
import { countWeek, listFellows } from './store.ts'

export function dashboardRoutes(app: App, { db }: Services) {
  const ofDashboard = head({
    ...{ operationId: 'getDashboard', summary: 'Get totals, fellows and recent records', tag: 'Overview' },
    query: DashboardQuery,
    answers: { 200: Dashboard },
  })
  app.get('/dashboard', ofDashboard, async (request) => {
    const caller = callerOf(request)
    const [fellows, week, nextSteps, recent] = await Promise.all([
      listFellows(db),
      countWeek(db),
      countNextSteps(db, caller, request.query.timeZone),
      listNewestRecords(db, kinds, caller, RECENT_COUNT),
    ])
    const ofKinds = kinds.flatMap(({ path, plural, present }, index) => [
      [path, fellows.reduce((sum, fellow) => sum + fellow[path], 0)],
      [`recent${plural}`, recent[index]?.map((row) => present(caller, row))],
    ])
    // The figures of others are for no token.
    const shown = caller.token === undefined ? fellows : []
    return { ...Object.fromEntries(ofKinds), fellows: shown, week, ...(nextSteps && { nextSteps }) } as Dashboard
  })
}
