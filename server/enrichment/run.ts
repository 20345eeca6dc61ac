import { gt, sql } from 'drizzle-orm'
import { withActor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { providerCooldowns } from '#server/db/schema.ts'
import { addressesIn, findSuppressed } from '#server/do-not-keep/listed.ts'
import type { GuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import type { Log } from '#server/log.ts'
import { changedAddresses } from '#server/records/write/corrections.ts'
import { type Answers, askAll, type Lookup } from './ask-all.ts'
import type { EndJob, Job, Retry } from './jobs.ts'
import type { EnrichedKind, KnownRecord } from './kind.ts'
import { countLookup, type DailyLookups } from './lookups.ts'
import { noticeOf } from './notice.ts'
import type { Ask, Failed } from './provider.ts'
import type { OpenProvider } from './providers/list.ts'
import { fieldsFrom, isPaused, isRunning, stateAfter } from './state.ts'
import { getKnown, lockKnown, markRunning, saveFindings } from './store.ts'

/** The number of retries of temporary failures, and the first pause. Each further pause is four times as long. */
const PUT_OFF_MAX = 4
const FIRST_PAUSE_SECONDS = 60
const DAY_SECONDS = 86_400

/** The budget of paid providers: the pause after a refresh, and lookups per day. */
export type Budget = { pauseSeconds: number; dailyLookups: DailyLookups }

type RunContext = {
  db: Database
  log: Log
  guardedClient: GuardedClient
  providers: OpenProvider[]
  budget: Budget
}

/** The providers that can be asked about a record, in order. */
export const eligibleProviders = (
  { enrichment }: EnrichedKind,
  providers: OpenProvider[],
  record: KnownRecord,
  hints: object = {},
): (OpenProvider & { ask: Ask<object> })[] => {
  const subject = enrichment.subjectOf(record, hints)
  return providers.flatMap((provider) => {
    const ask = enrichment.resolver(provider.provider, subject)
    return ask === undefined ? [] : [{ ...provider, ask }]
  })
}

/**
 * One run: asks the providers, fetches what findings refer to, and saves everything in the transaction that ends the
 * job. Also ends the job of a deleted record. No transaction is open during network requests.
 */
export async function runJob(
  context: RunContext,
  kind: EnrichedKind,
  job: Job,
  { end, signal }: { end: EndJob; signal: AbortSignal },
): Promise<void> {
  const { db, log, guardedClient, budget } = context
  const { id, only } = job
  const startedAt = Date.now()
  const { fields, isTyped, prepare } = kind.enrichment
  const record = await getKnown(db, kind, id)
  if (record === undefined) return db.transaction((tx) => end(tx))

  const allowed = eligibleProviders(kind, context.providers, record, job.hints).filter(
    (provider) => only === undefined || only.providers.includes(provider.id),
  )
  const isHeld = ({ id }: OpenProvider) => isPaused(record.state, id, budget.pauseSeconds)
  const coolingDown = (await listCooldowns(db)).filter(({ provider }) =>
    allowed.some((one) => one.id === provider && !isHeld(one)),
  )
  const ready = allowed.filter(({ id }) => !coolingDown.some(({ provider }) => provider === id))
  const isPaid = (provider: OpenProvider) => provider.needsKey && !isHeld(provider)
  // Lookups by the product itself, which the operator has set up, count for no account.
  const reached = job.by && ready.some(isPaid) ? await countLookup(db, job.by.id, budget.dailyLookups) : undefined
  if (reached && job.canWait) return db.transaction((tx) => end(tx, { job, seconds: DAY_SECONDS }))
  if (!isRunning(record.state)) await markRunning(db, kind, id)
  const asked = ready.filter((provider) => !reached || !isPaid(provider))
  const open = fields.filter((field) => !isTyped(record, field) && (only?.fields.includes(field) ?? true))
  const answers = await askAll(
    asked.map(
      (provider): Lookup<object> => ({
        id: provider.id,
        isKeyless: !provider.needsKey,
        ask: provider.ask,
        recentFields: isHeld(provider) ? fieldsFrom(record.state, provider.id) : undefined,
      }),
    ),
    { open, signal },
  )
  const prepared = (await prepare?.(id, answers.found, guardedClient, signal)) ?? { found: answers.found }
  signal.throwIfAborted()

  for (const failure of answers.failures) await coolDownAfter(db, failure)
  const hasFound = Object.keys(prepared.found).length > 0 || answers.skippedFields.length > 0
  const outlook = {
    reached,
    troubles: [...coolingDown, ...answers.failures].map(({ provider, reason }) => ({
      name: context.providers.find(({ id }) => id === provider)?.name ?? provider,
      reason,
    })),
  }
  await withActor(db, job.by, async (tx) => {
    const before = await lockKnown(tx, kind, id)
    // What was found by an address that has been corrected since is of another person or company.
    if (before && changedAddresses(kind, record, before).length > 0) {
      return end(tx, { job: { kind: job.kind, id, ...(job.by && { by: job.by }) }, seconds: 0 })
    }
    if (before !== undefined) {
      // An import may have filled a field, or a person typed it, while the providers were asked.
      const open = Object.entries(prepared.found).filter(([field]) => !isTyped(before, field))
      // Data with an address of a person who asked not to be kept is theirs.
      const addresses = addressesIn(kind, Object.fromEntries(open.map(([field, { value }]) => [field, value])))
      const isWithheld = (await findSuppressed(tx, addresses, [id])).length > 0
      const found: typeof prepared.found = isWithheld ? {} : Object.fromEntries(open)
      const findings = Object.fromEntries(Object.entries(found).map(([field, { value }]) => [field, value]))
      const state = stateAfter(before.state, {
        found,
        skippedFields: answers.skippedFields,
        paid: job.isRefresh ? answers.answered.filter((id) => asked.some((one) => one.id === id && one.needsKey)) : [],
        notice: noticeOf({ hasFound, ...outlook }),
        warning: noticeOf({ hasFound: true, ...outlook }),
        hints: job.hints,
        isRetryOfMissing: only !== undefined,
      })
      await saveFindings(tx, kind, id, { findings, state })
      if (!isWithheld) await prepared.saveRelated?.(tx)
    }
    await end(tx, before && retryLater(job, answers, coolingDown))
  })
  log.info(
    {
      kind: kind.name,
      record: id,
      asked: asked.filter((provider) => !isHeld(provider)).map((provider) => provider.id),
      found: Object.fromEntries(Object.entries(prepared.found).map(([field, { provider }]) => [field, provider])),
      failures: answers.failures.map(({ provider, reason, detail }) => ({ provider, reason, detail })),
      ms: Date.now() - startedAt,
    },
    'A record was enriched',
  )
}

/** Queues a later retry of the providers that failed temporarily, for the fields that are still open. */
function retryLater(job: Job, { failures, open }: Answers, coolingDown: Cooldown[]): Retry | undefined {
  const before = job.putOff ?? 0
  const busy = coolingDown.filter(({ reason }) => reason === 'rate_limited')
  const passing = failures.filter(({ isRetryable }) => isRetryable)
  const providers = [...new Set([...busy, ...passing].map(({ provider }) => provider))]
  if (providers.length === 0 || open.length === 0 || before >= PUT_OFF_MAX) return undefined
  const asked = passing.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0)
  const cooledDown = busy.map(({ until }) => Math.ceil((until.getTime() - Date.now()) / 1000))
  return {
    job: {
      kind: job.kind,
      id: job.id,
      ...(job.hints && { hints: job.hints }),
      ...(job.isRefresh && { isRefresh: true }),
      only: { providers, fields: open },
      putOff: before + 1,
    },
    seconds: Math.max(FIRST_PAUSE_SECONDS * 4 ** before, ...asked, ...cooledDown),
  }
}

// Providers that all processes skip for a while, shared through the database.

/** The default durations. Other failures cause no cooldown. */
const COOLDOWN_SECONDS: Partial<Record<Failed['reason'], number>> = { rate_limited: 60, no_credits: 3_600, auth: 600 }

type CooldownReason = 'rate_limited' | 'no_credits' | 'auth'
type Cooldown = { provider: string; reason: CooldownReason; until: Date }

async function listCooldowns(db: Database): Promise<Cooldown[]> {
  const rows = await db.select().from(providerCooldowns).where(gt(providerCooldowns.until, sql`now()`))
  return rows as Cooldown[]
}

/** Starts a provider's cooldown when its failure calls for one. */
async function coolDownAfter(db: Database, { provider, reason, retryAfterSeconds }: Failed & { provider: string }) {
  const fallback = COOLDOWN_SECONDS[reason]
  if (fallback === undefined) return
  const until = sql`now() + make_interval(secs => ${retryAfterSeconds ?? fallback})`
  await db
    .insert(providerCooldowns)
    .values({ provider, reason, until })
    .onConflictDoUpdate({ target: providerCooldowns.provider, set: { reason, until } })
}
