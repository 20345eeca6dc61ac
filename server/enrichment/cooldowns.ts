import { gt, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { providerCooldowns } from '#server/db/schema.ts'
import type { Failed } from './provider.ts'

// Providers that all processes skip for a while, shared through the database.

/** The default durations. Other failures cause no cooldown. */
const COOLDOWN_SECONDS: Partial<Record<Failed['reason'], number>> = { rate_limited: 60, no_credits: 3_600, auth: 600 }

type CooldownReason = 'rate_limited' | 'no_credits' | 'auth'
export type Cooldown = { provider: string; reason: CooldownReason; until: Date }

export async function listCooldowns(db: Database): Promise<Cooldown[]> {
  const rows = await db.select().from(providerCooldowns).where(gt(providerCooldowns.until, sql`now()`))
  return rows as Cooldown[]
}

/** Starts a provider's cooldown when its failure calls for one. */
export async function coolDownAfter(
  db: Database,
  { provider, reason, retryAfterSeconds }: Failed & { provider: string },
) {
  const fallback = COOLDOWN_SECONDS[reason]
  if (fallback === undefined) return
  const until = sql`now() + make_interval(secs => ${retryAfterSeconds ?? fallback})`
  await db
    .insert(providerCooldowns)
    .values({ provider, reason, until })
    .onConflictDoUpdate({ target: providerCooldowns.provider, set: { reason, until } })
}
