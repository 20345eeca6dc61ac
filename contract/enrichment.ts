import { z } from 'zod'

/**
 * The answer of `enrich` and `refresh`. Nothing found is an honest answer, not a failure: `success` is false and
 * `error` is the sentence for the person. `pending` says that the run goes on without the caller.
 */
export const refreshAnswer = <Enrichment extends z.ZodType>(enrichment: Enrichment) =>
  z.union([
    z.object({ success: z.literal(true), enrichedData: enrichment }),
    z.object({ success: z.literal(true), pending: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ])
