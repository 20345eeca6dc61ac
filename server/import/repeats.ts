import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { fold } from '#server/text.ts'
import type { ParsedRow } from './values.ts'

/**
 * Finds the earlier row of a file that a row repeats: one with the same address, or with the same name and no different
 * address. Each row counts once, whatever the choice for duplicates.
 */
export function createRepeats({ lookup }: Pick<EnrichedKind, 'lookup'>) {
  const byAddress = new Map<string, number>()
  /** The first row of each name, and the first without an address. */
  const byName = new Map<string, { first: number; unaddressed?: number }>()

  return (row: number, { fields }: ParsedRow): number | undefined => {
    const given = fields[lookup.field]
    const address = given ? lookup.keyOf(given) : null
    const name = fold(fields.name)
    const named = byName.get(name)
    const earlier = address === null ? named?.first : (byAddress.get(address) ?? named?.unaddressed)
    if (earlier !== undefined) return earlier
    if (address !== null) byAddress.set(address, row)
    byName.set(name, { first: row, ...named, ...(address === null && { unaddressed: row }) })
    return undefined
  }
}
