import { companyKind } from './companies/kind.ts'
import type { EnrichedKind } from './enrichment/kind.ts'
import { founderKind } from './founders/kind.ts'

/** All kinds of record. */
export const kinds: EnrichedKind[] = [founderKind, companyKind]
