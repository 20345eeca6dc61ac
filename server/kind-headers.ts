import type { KindName } from '#contract/kinds.ts'
import { companyHeaders } from './companies/headers.ts'
import { founderHeaders } from './founders/headers.ts'
import type { KindHeaders } from './records/headers.ts'

/**
 * The columns of files of each kind. Apart from `kinds.ts`, so that the process that reads files loads no database. The
 * name of a file shows the first kind that it fits.
 */
export const kindHeaders: Record<KindName, KindHeaders> = { company: companyHeaders, founder: founderHeaders }
