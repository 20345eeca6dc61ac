import { fold } from '#contract/fold.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { ParsedRow } from './values.ts'

/**
 * Finds the earlier row of a file that a row repeats: one with the same address or email, or with the same name and no
 * different address. Each row counts once, whatever the choice for duplicates.
 */
export function createRepeats({ lookup, matching }: Pick<EnrichedKind, 'lookup' | 'matching'>) {
  const byAddress = new Map<string, number>()
  const byEmail = new Map<string, number>()
  /** The first row of each name, and the first without an address. */
  const byName = new Map<string, { first: number; unaddressed?: number }>()

  return (row: number, { fields, facts }: ParsedRow): number | undefined => {
    const given = fields[lookup.field]
    const address = given ? lookup.keyOf(given) : null
    const name = fold(fields.name)
    const email = matching.byEmail && typeof facts.email === 'string' ? facts.email.toLowerCase() : null
    const named = byName.get(name)
    const sameName = address === null ? named?.first : (byAddress.get(address) ?? named?.unaddressed)
    const earlier = sameName ?? (email === null ? undefined : byEmail.get(email))
    if (earlier !== undefined) return earlier
    if (email !== null) byEmail.set(email, row)
    if (address !== null) byAddress.set(address, row)
    byName.set(name, { first: row, ...named, ...(address === null && { unaddressed: row }) })
    return undefined
  }
}
