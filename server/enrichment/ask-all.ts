import { tell } from '#server/signals.ts'
import type { Failed, Outcome } from './provider.ts'

/** A provider set up, for one kind of record. */
export type Asked<Subject, Findings> = {
  id: string
  isKeyless: boolean
  ask: (subject: Subject, signal: AbortSignal) => Promise<Outcome<Findings>>
}

/** A value, and who gave it. */
export type Found = Record<string, { value: unknown; provider: string }>

/** What asking came to: what was found, who failed and how, and the fields that are still open. */
export type Answers = { found: Found; failures: ({ provider: string } & Failed)[]; open: string[] }

/** All that one provider gets of a run. */
export const PROVIDER_BUDGET_MS = 8_000

/**
 * Asks providers in their order for the open fields; later ones only while a field is open, keyless ones side by side
 * with the keyless ones next to them. The first in order that has a value wins.
 */
export async function askAll<Subject, Findings extends object>(
  providers: Asked<Subject, Findings>[],
  subject: Subject,
  { open, signal }: { open: readonly string[]; signal: AbortSignal },
): Promise<Answers> {
  const answers: Answers = { found: {}, failures: [], open: [...open] }
  for (const group of sideBySide(providers)) {
    if (answers.open.length === 0 || signal.aborted) break
    const outcomes = await Promise.all(
      group.map(async (provider) => ({
        provider: provider.id,
        outcome: await provider.ask(subject, AbortSignal.any([signal, AbortSignal.timeout(PROVIDER_BUDGET_MS)])),
      })),
    )
    for (const { provider, outcome } of outcomes) {
      tell('provider', { provider, result: outcome.kind === 'failed' ? outcome.reason : outcome.kind })
      take(answers, provider, outcome)
    }
  }
  return answers
}

function take(answers: Answers, provider: string, outcome: Outcome<object>) {
  if (outcome.kind === 'failed') answers.failures.push({ provider, ...outcome })
  if (outcome.kind !== 'found') return
  for (const [field, value] of Object.entries(outcome.findings)) {
    if (value === undefined || !answers.open.includes(field)) continue
    answers.found[field] = { value, provider }
    answers.open = answers.open.filter((other) => other !== field)
  }
}

/** Neighbours without a key make one group; every licensed provider stands alone, as each answer may cost a credit. */
function sideBySide<Provider extends { isKeyless: boolean }>(providers: Provider[]): Provider[][] {
  const groups: Provider[][] = []
  for (const provider of providers) {
    const last = groups.at(-1)
    if (provider.isKeyless && last?.[0]?.isKeyless) last.push(provider)
    else groups.push([provider])
  }
  return groups
}
