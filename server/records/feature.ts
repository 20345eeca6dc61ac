import type { SQL } from 'drizzle-orm'
import type { FilterName, FilterValue } from '#contract/filters.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { App } from '#server/http/app.ts'
import type { RecordKind } from './kind.ts'
import type { RecordData } from './record-data.ts'

// What a feature of records declares in its `feature.ts`. `record-features.ts` lists all of them.

/** The calls of a feature. */
export type FeatureRoutes = (
  app: App,
  services: { db: Database; settings: Settings },
  kinds: readonly RecordKind[],
) => void

/** What a filter requires depends on the list and its caller. */
export type FilterContext = {
  db: Database
  kind: RecordKind
  caller: Pick<Account, 'id' | 'role'>
  timeZone: string
}

export type RecordFeature = {
  /** The heading of its calls in the API document. */
  heading: { name: string; description: string }
  routes: FeatureRoutes[]
  data: RecordData[]
  /** The conditions of its filters, each with an index in the order of the newest. */
  filters?: { [Name in FilterName]?: (value: FilterValue<Name>, context: FilterContext) => SQL | Promise<SQL> }
  /** What the lines of an export have of it, by the ids of records. */
  exported?: Record<string, (db: Database, kind: RecordKind, ids: string[]) => Promise<ReadonlyMap<string, unknown>>>
}
