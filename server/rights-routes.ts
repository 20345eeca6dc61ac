import { ExportRights, PipelineRights, Rights } from '#contract/rights.ts'
import { type Account, callerOf } from './auth/sessions/session.ts'
import { hasManager } from './auth/store.ts'
import { remainingAfter } from './export/policy.ts'
import { countExported } from './export/store.ts'
import type { App } from './http/app.ts'
import { head } from './http/head.ts'
import { rights } from './rights.ts'
import type { Services } from './services.ts'

/** What the caller may do, so that the page offers nothing else. */
export function rightsRoutes(app: App, { db }: Services) {
  async function getRights(caller: Account): Promise<Rights> {
    const isManaged = await hasManager(db)
    const entries = Object.entries(rights).map(([name, { allows, why }]) => {
      const allowed = allows(caller, isManaged)
      return [name, { allowed, ...(!allowed && { why }) }]
    })
    const all: Rights = Object.fromEntries(entries)
    if (!all.exportAll.allowed) all.exportAll.remaining = remainingAfter(await countExported(db, caller))
    return all
  }

  const tag = 'Account'
  app.get(
    '/rights',
    head({
      scope: 'read',
      operationId: 'getRights',
      summary: 'Get what the caller may do',
      tag,
      answers: { 200: Rights },
    }),
    (request) => getRights(callerOf(request)),
  )

  const alias = { tag, isDeprecated: true, summary: 'Use `GET /api/rights`' }
  app.get(
    '/export-rights',
    head({ scope: 'read', operationId: 'getExportRights', ...alias, answers: { 200: ExportRights } }),
    async (request) => {
      const { allowed: all, remaining } = (await getRights(callerOf(request))).exportAll
      return { all, remaining }
    },
  )
  app.get(
    '/pipeline-rights',
    head({ scope: 'read', operationId: 'getPipelineRights', ...alias, answers: { 200: PipelineRights } }),
    async (request) => ({ advance: (await getRights(callerOf(request))).advance.allowed }),
  )
}
