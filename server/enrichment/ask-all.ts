import { publish } from '#server/telemetry.ts'
import type { Ask, Failed, Outcome } from './provider.ts'

/** A provider that can look a record up. One that gave `recentFields` not long ago is skipped, and they stay. */
export type Lookup<Findings> = {
  id: string
  isKeyless: boolean
  ask: Ask<Findings>
  recentFields?: readonly string[] | undefined
}

/** A value, and its provider. */
export type Found = Record<string, { value: unknown; provider: string }>

/**
 * The result of asking. `skippedFields` stay as they are; `answered` lists the providers that answered, with or without
 * a result.
 */
export type Answers = {
  found: Found
  skippedFields: string[]
  answered: string[]
  failures: ({ provider: string } & Failed)[]
  open: string[]
}

/** What one provider receives in a run. */
const PROVIDER_BUDGET_MS = 8_000

/**
 * Asks providers in order for the open fields, and stops when no field is open. Neighbouring keyless providers run in
 * parallel. The first provider in order that has a value wins.
 */
export async function askAll<Findings extends object>(
  providers: Lookup<Findings>[],
  { open, signal }: { open: readonly string[]; signal: AbortSignal },
): Promise<Answers> {
  const answers: Answers = { found: {}, skippedFields: [], answered: [], failures: [], open: [...open] }
  for (const group of sideBySide(providers)) {
    if (answers.open.length === 0 || signal.aborted) break
    const recentFields = group[0]?.recentFields
    if (recentFields !== undefined) {
      answers.skippedFields.push(...answers.open.filter((field) => recentFields.includes(field)))
      answers.open = answers.open.filter((field) => !recentFields.includes(field))
      continue
    }
    const outcomes = await Promise.all(
      group.map(async (provider) => ({
        provider: provider.id,
        outcome: await provider.ask(AbortSignal.any([signal, AbortSignal.timeout(PROVIDER_BUDGET_MS)])),
      })),
    )
    for (const { provider, outcome } of outcomes) {
      publish('provider', { provider, result: outcome.kind === 'failed' ? outcome.reason : outcome.kind })
      take(answers, provider, outcome)
    }
  }
  return answers
}

function take(answers: Answers, provider: string, outcome: Outcome<object>) {
  if (outcome.kind === 'failed') answers.failures.push({ provider, ...outcome })
  else answers.answered.push(provider)
  if (outcome.kind !== 'found') return
  for (const [field, value] of Object.entries(outcome.findings)) {
    if (value === undefined || !answers.open.includes(field)) continue
    answers.found[field] = { value, provider }
    answers.open = answers.open.filter((other) => other !== field)
  }
}

/** Groups neighbouring keyless providers. Every licensed provider is alone, because each response may cost a credit. */
function sideBySide<Provider extends { isKeyless: boolean }>(providers: Provider[]): Provider[][] {
  const groups: Provider[][] = []
  for (const provider of providers) {
    const last = groups.at(-1)
    if (provider.isKeyless && last?.[0]?.isKeyless) last.push(provider)
    else groups.push([provider])
  }
  return groups
}
