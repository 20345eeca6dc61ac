import { Dashboard } from '#contract/dashboard.ts'
import { Failure } from '#contract/errors.ts'
import { RECENT_COUNT } from '#contract/limits.ts'
import { callerOf } from '#server/auth/session.ts'
import { presentCompany } from '#server/companies/present.ts'
import { listNewestCompanies } from '#server/companies/store.ts'
import { presentFounder } from '#server/founders/present.ts'
import { listNewestFounders } from '#server/founders/store.ts'
import type { App, Services } from '#server/services.ts'
import { listFellows } from './store.ts'

export function dashboardRoutes(app: App, { db }: Services) {
  app.get('/dashboard', { schema: { response: { 200: Dashboard, '4xx': Failure } } }, async (request) => {
    const caller = callerOf(request)
    const [fellows, recentFounders, recentCompanies] = await Promise.all([
      listFellows(db),
      listNewestFounders(db, caller, RECENT_COUNT),
      listNewestCompanies(db, caller, RECENT_COUNT),
    ])
    return {
      founders: fellows.reduce((sum, fellow) => sum + fellow.founders, 0),
      companies: fellows.reduce((sum, fellow) => sum + fellow.companies, 0),
      fellows,
      recentFounders: recentFounders.map((row) => presentFounder(caller, row)),
      recentCompanies: recentCompanies.map((row) => presentCompany(caller, row)),
    }
  })
}
