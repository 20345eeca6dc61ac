import { z } from 'zod'
import { liveChanges } from './filters.ts'
import { kindNames } from './kinds.ts'

/**
 * One event of `GET /api/events`. It names the data to refetch and contains no data, because readers differ in their
 * rights. An event without `id`, or `everything`, stands for many changes.
 * `people` stands for accounts, invitations and what is sent, `searches` for shared saved searches. `inbox` is sent to the reader
 * alone whose inbox it concerns.
 */
export const LiveEvent = z.union([
  z.object({
    kind: z.enum(kindNames),
    change: z.enum(liveChanges),
    id: z.uuid().optional(),
    mergedId: z.uuid().optional().meta({ description: 'On `merged`: the record that was merged into `id`' }),
  }),
  z.object({ kind: z.enum(['everything', 'people', 'searches', 'inbox']) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const LiveQuery = z.object({
  account: z
    .string()
    .optional()
    .meta({ description: 'In place of the header `X-Account`, which a stream cannot have' }),
  behind: z
    .string()
    .regex(/^\d{1,15}$/, 'Behind must be a whole number of milliseconds')
    .transform(Number)
    .optional()
    .meta({ description: 'The milliseconds for which the reader has been without the stream', type: 'integer' }),
})
export type LiveQuery = z.infer<typeof LiveQuery>
