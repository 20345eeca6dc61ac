import { NAV_COUNT_MAX } from '#contract/limits.ts'
import { NavCounts } from '#contract/nav-counts.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { countPairs } from '#server/duplicates/pairs.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { countPending } from './people/store.ts'

/** The numbers beside the entries of the navigation. */
export function navCountRoutes(app: App, { db }: Services, kinds: readonly RecordKind[]) {
  app.get(
    '/nav-counts',
    head({
      ...{ operationId: 'getNavCounts', summary: 'Count duplicates, and for managers the people who wait' },
      tag: 'Overview',
      answers: { 200: NavCounts },
    }),
    async (request): Promise<NavCounts> => {
      const pairs = await Promise.all(kinds.map((kind) => countPairs(db, kind, NAV_COUNT_MAX)))
      const duplicates = Math.min(
        pairs.reduce((sum, count) => sum + count, 0),
        NAV_COUNT_MAX,
      )
      if (!rights.programme.allows(callerOf(request))) return { duplicates }
      return { duplicates, waiting: await countPending(db, NAV_COUNT_MAX) }
    },
  )
}
