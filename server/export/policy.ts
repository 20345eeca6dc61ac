import { EXPORTED_MAX } from '#contract/export.ts'
import { forbidden } from '#server/http/errors.ts'
import { isUnfiltered, type RecordQuery } from '#server/lists/query.ts'
import { refusal, rights } from '#server/rights.ts'

/** The number of records that an account may still export, of those beyond My Records. */
export const remainingAfter = (exported: number): number => Math.max(0, EXPORTED_MAX - exported)

/** What a fellow may export while there is a manager: My Records, and some of what a filter shows. */
export function authorizeFiltered(query: RecordQuery): void {
  if (isUnfiltered(query)) throw refusal(rights.exportAll)
}

/** An export of more records than remain. */
export function refuseMore(count: number, exported: number): void {
  const remaining = remainingAfter(exported)
  if (count <= remaining) return
  const shown = count > EXPORTED_MAX ? `more than ${EXPORTED_MAX}` : count
  throw forbidden(
    `You can export up to ${EXPORTED_MAX} records of others in 24 hours, and have exported ${exported}. This filter shows ${shown}.`,
  )
}
