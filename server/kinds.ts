import { companyKind } from './companies/kind.ts'
import type { EnrichedKind } from './enrichment/kind.ts'
import { founderKind } from './founders/kind.ts'

/** Every kind of record that the product has. */
export const kinds: EnrichedKind[] = [founderKind, companyKind]
