import { Dashboard } from '#contract/dashboard.ts'
import { Failure } from '#contract/errors.ts'
import { RECENT_COUNT } from '#contract/limits.ts'
import { callerOf } from '#server/auth/session.ts'
import { kinds } from '#server/kinds.ts'
import { listNewestRecords } from '#server/records/store.ts'
import type { App, Services } from '#server/services.ts'
import { countWeek, listFellows } from './store.ts'

export function dashboardRoutes(app: App, { db }: Services) {
  app.get('/dashboard', { schema: { response: { 200: Dashboard, '4xx': Failure } } }, async (request) => {
    const caller = callerOf(request)
    const [fellows, week, ...recent] = await Promise.all([
      listFellows(db),
      countWeek(db),
      ...kinds.map((kind) => listNewestRecords(db, kind, caller, RECENT_COUNT)),
    ])
    const ofKinds = kinds.flatMap(({ path, plural, present }, index) => [
      [path, fellows.reduce((sum, fellow) => sum + fellow[path], 0)],
      [`recent${plural}`, recent[index]?.map((row) => present(caller, row))],
    ])
    return { ...Object.fromEntries(ofKinds), fellows, week } as Dashboard
  })
}
