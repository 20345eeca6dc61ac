import { z } from 'zod'

const Notice = z.string().meta({ description: 'A sentence about the run for the person' })

/**
 * The answer of `enrich` and `refresh`. Nothing found is an honest answer, not a failure: `success` is false and
 * `error` is the sentence for the person. `pending` says that the run goes on without the caller.
 */
export const refreshAnswer = <Enrichment extends z.ZodType>(enrichment: Enrichment) =>
  z.union([
    z.object({ success: z.literal(true), enrichedData: enrichment, notice: Notice.optional() }),
    z.object({ success: z.literal(true), pending: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ])

/** What the answer to `create` has beside the record. */
export const createdParts = <Enrichment extends z.ZodType>(enrichment: Enrichment) => ({
  enrichedData: enrichment.optional().meta({ description: 'What enrichment found before this answer' }),
  notice: Notice.optional(),
})

/** Who gave a field, as people know them, and when. */
export const FieldSource = z.object({ provider: z.string(), at: z.iso.datetime() })
export type FieldSource = z.infer<typeof FieldSource>

/** What a record says of its outside data, beside the data itself. */
export const RecordEnrichment = z.object({
  isRunning: z.boolean(),
  sources: z.record(z.string(), FieldSource).meta({ description: 'By field of additionalInfo, or of the record' }),
  lastRun: z
    .object({ at: z.iso.datetime(), notice: Notice.nullable() })
    .nullable()
    .meta({ description: 'When the last run ended; null before the first' }),
})
export type RecordEnrichment = z.infer<typeof RecordEnrichment>
