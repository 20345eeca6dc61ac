import { z } from 'zod'

const Notice = z.string().meta({ description: 'A sentence about the run for the person' })

/**
 * The response of `enrich` and `refresh`. An empty result is not a failure of the request: `success` is false and
 * `error` is the sentence to show. `pending` means that the run continues in the background.
 */
export const refreshAnswer = <Enrichment extends z.ZodType>(enrichment: Enrichment) =>
  z.union([
    z.object({ success: z.literal(true), enrichedData: enrichment, notice: Notice.optional() }),
    z.object({ success: z.literal(true), pending: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ])

/** The fields of the response to `create` besides the record. */
export const createdParts = <Enrichment extends z.ZodType>(enrichment: Enrichment) => ({
  enrichedData: enrichment.optional().meta({ description: 'The findings of enrichment before this response' }),
  notice: Notice.optional(),
})

/** The provider of a field, by its display name, and the time of the value. */
export const FieldSource = z.object({ provider: z.string(), at: z.iso.datetime() })
export type FieldSource = z.infer<typeof FieldSource>

/** The state of a record's public data. */
export const RecordEnrichment = z.object({
  isRunning: z.boolean(),
  sources: z.record(z.string(), FieldSource).meta({ description: 'By field of additionalInfo, or of the record' }),
  lastRun: z
    .object({ at: z.iso.datetime(), notice: Notice.nullable() })
    .nullable()
    .meta({ description: 'When the last run ended; null before the first' }),
})
export type RecordEnrichment = z.infer<typeof RecordEnrichment>
