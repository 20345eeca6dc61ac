import { z } from 'zod'
import { kinds } from './kinds.ts'

/**
 * One event of `GET /api/events`. It says what to ask for again, never what it is: every reader has rights of its own.
 * Without `id`, or as `everything`, it stands for more than is worth naming one by one.
 */
export const LiveEvent = z.union([
  z.object({
    kind: z.enum(kinds.map(({ name }) => name)),
    change: z.enum(['created', 'updated', 'deleted', 'notes']),
    id: z.uuid().optional(),
  }),
  z.object({ kind: z.literal('everything') }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** `behind` says how many milliseconds a reader has gone without the stream while it showed what it shows. */
export const LiveQuery = z.object({
  behind: z
    .string()
    .regex(/^\d{1,15}$/, 'Behind must be a whole number of milliseconds')
    .transform(Number)
    .optional(),
})
export type LiveQuery = z.infer<typeof LiveQuery>
