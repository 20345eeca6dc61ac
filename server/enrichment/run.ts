import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import type { GuardedClient } from '#server/outside/guarded-client.ts'
import { type Answers, type Asked, askAll } from './ask-all.ts'
import type { EndJob, Job, PutOff } from './jobs.ts'
import type { EnrichedKind } from './kind.ts'
import { countLookup } from './lookups.ts'
import { noticeOf } from './notice.ts'
import type { Ask } from './provider.ts'
import type { OpenProvider } from './providers/list.ts'
import { listRests, type Rest, restAfter } from './rests.ts'
import { fieldsFrom, isPaused, isRunning, keepState, lockState, markRunning, stateAfter } from './state.ts'

/** How often failures that may pass are asked again, and the first pause; each further one is four times as long. */
const PUT_OFF_MAX = 4
const FIRST_PAUSE_SECONDS = 60

/** What paid providers may cost: how long one that answered a refresh is paused, and lookups a day and account. */
export type Budget = { pauseSeconds: number; dailyLookups: number }

export type RunContext = {
  db: Database
  log: Log
  outside: GuardedClient
  providers: OpenProvider[]
  budget: Budget
}

/** The providers that can be asked about a subject, in order. */
export const askable = <Subject, Findings extends object>(
  { asking }: Pick<EnrichedKind<unknown, Subject, Findings, unknown>, 'asking'>,
  providers: OpenProvider[],
  subject: Subject,
): (OpenProvider & { ask: Ask<Findings> })[] =>
  providers.flatMap((provider) => {
    const ask = asking(provider.provider, subject)
    return ask === undefined ? [] : [{ ...provider, ask }]
  })

/**
 * One run: asks the providers, fetches what findings need, and keeps them all in the transaction that ends
 * the job. A record that is gone ends it too. No transaction is open while anybody is waited for.
 */
export async function runJob<Row, Subject, Findings extends object, Hints>(
  context: RunContext,
  kind: EnrichedKind<Row, Subject, Findings, Hints>,
  job: Job,
  { end, signal }: { end: EndJob; signal: AbortSignal },
): Promise<void> {
  const { db, log, outside, budget } = context
  const { id, only } = job
  const startedAt = Date.now()
  const row = await kind.load(db, id)
  if (row === undefined) return db.transaction((tx) => end(tx))
  const record = kind.toEnrich(row, (job.hints ?? {}) as Hints)
  if (!isRunning(record.state)) await markRunning(db, kind.table, id)

  const allowed = askable(kind, context.providers, record.subject).filter(
    (provider) => only === undefined || only.providers.includes(provider.id),
  )
  const isHeld = ({ id }: OpenProvider) => isPaused(record.state, id, budget.pauseSeconds)
  const rests = (await listRests(db)).filter(({ provider }) =>
    allowed.some((one) => one.id === provider && !isHeld(one)),
  )
  const ready = allowed.filter(({ id }) => !rests.some(({ provider }) => provider === id))
  const isPaid = (provider: OpenProvider) => provider.needsKey && !isHeld(provider)
  const isOverLimit =
    job.by !== undefined && ready.some(isPaid) && !(await countLookup(db, job.by.id, budget.dailyLookups))
  const asked = ready.filter((provider) => !isOverLimit || !isPaid(provider))
  const open = only === undefined ? record.open : record.open.filter((field) => only.fields.includes(field))
  const answers = await askAll(
    asked.map(
      (provider): Asked<Findings> => ({
        id: provider.id,
        isKeyless: !provider.needsKey,
        ask: provider.ask,
        holds: isHeld(provider) ? fieldsFrom(record.state, provider.id) : undefined,
      }),
    ),
    { open, signal },
  )
  const { found, keepMore } = await kind.prepare(id, answers.found, outside, signal)
  signal.throwIfAborted()

  for (const failure of answers.failures) await restAfter(db, failure)
  const hasFound = Object.keys(found).length > 0 || answers.held.length > 0
  const outlook = {
    isOverLimit,
    troubles: [...rests, ...answers.failures].map(({ provider, reason }) => ({
      name: context.providers.find(({ id }) => id === provider)?.name ?? provider,
      reason,
    })),
  }
  await db.transaction(async (tx) => {
    const before = await lockState(tx, kind.table, id)
    if (before !== undefined) {
      const values = Object.entries(found).map(([field, { value }]) => [field, value])
      const state = stateAfter(before, {
        found,
        held: answers.held,
        paid: job.isRefresh ? answers.answered.filter((id) => asked.some((one) => one.id === id && one.needsKey)) : [],
        notice: noticeOf({ hasFound, ...outlook }),
        warning: noticeOf({ hasFound: true, ...outlook }),
        hints: job.hints,
        isMakeUp: only !== undefined,
      })
      if (values.length > 0) await kind.keep(tx, id, Object.fromEntries(values) as Findings, { state, by: job.by })
      else await keepState(tx, kind.table, id, { state, by: job.by })
      await keepMore?.(tx)
    }
    await end(tx, before && putOff(job, answers, rests))
  })
  log.info(
    {
      kind: kind.name,
      record: id,
      asked: asked.filter((provider) => !isHeld(provider)).map((provider) => provider.id),
      found: Object.fromEntries(Object.entries(found).map(([field, { provider }]) => [field, provider])),
      failures: answers.failures.map(({ provider, reason, detail }) => ({ provider, reason, detail })),
      ms: Date.now() - startedAt,
    },
    'A record was looked up',
  )
}

/** Asks again, later and only those, who failed in a way that may pass, for the fields that nobody answered. */
function putOff(job: Job, { failures, open }: Answers, resting: Rest[]): PutOff | undefined {
  const before = job.putOff ?? 0
  const busy = resting.filter(({ reason }) => reason === 'rate_limited')
  const passing = failures.filter(({ isRetryable }) => isRetryable)
  const providers = [...new Set([...busy, ...passing].map(({ provider }) => provider))]
  if (providers.length === 0 || open.length === 0 || before >= PUT_OFF_MAX) return undefined
  const asked = passing.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0)
  const rested = busy.map(({ until }) => Math.ceil((until.getTime() - Date.now()) / 1000))
  return {
    job: {
      kind: job.kind,
      id: job.id,
      ...(job.hints && { hints: job.hints }),
      ...(job.isRefresh && { isRefresh: true }),
      only: { providers, fields: open },
      putOff: before + 1,
    },
    seconds: Math.max(FIRST_PAUSE_SECONDS * 4 ** before, ...asked, ...rested),
  }
}
