import { gt, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { providerRests } from '#server/db/schema.ts'
import type { Failed } from './provider.ts'

// Providers that are left alone for a while, agreed on by all processes through the database.

/** For how long, where the provider does not say. Others are asked again with the next record. */
const REST_SECONDS: Partial<Record<Failed['reason'], number>> = { rate_limited: 60, no_credits: 3_600, auth: 600 }

export type RestReason = 'rate_limited' | 'no_credits' | 'auth'
export type Rest = { provider: string; reason: RestReason; until: Date }

export async function listRests(db: Database): Promise<Rest[]> {
  const rows = await db.select().from(providerRests).where(gt(providerRests.until, sql`now()`))
  return rows as Rest[]
}

/** Lets a provider rest when its failure asks for that. */
export async function restAfter(db: Database, { provider, reason, retryAfterSeconds }: Failed & { provider: string }) {
  const fallback = REST_SECONDS[reason]
  if (fallback === undefined) return
  const until = sql`now() + make_interval(secs => ${retryAfterSeconds ?? fallback})`
  await db
    .insert(providerRests)
    .values({ provider, reason, until })
    .onConflictDoUpdate({ target: providerRests.provider, set: { reason, until } })
}
