import { companyKind } from './companies/kind.ts'
import { founderKind } from './founders/kind.ts'
import type { RecordKind } from './records/kind.ts'

/** Every kind of record that the page has, in the order shown. */
export const kinds: readonly RecordKind[] = [founderKind, companyKind]
