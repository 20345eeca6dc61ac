import { z } from 'zod'
import { EXCERPT_MAX } from './limits.ts'

/** Where a record contains the term of `in=mentions`. */
export const SecondaryMatch = z.object({
  field: z.string().meta({ description: 'The name of a field, or `note`' }),
  excerpt: z.string().meta({ description: `At most ${EXCERPT_MAX} characters around the term` }),
})
export type SecondaryMatch = z.infer<typeof SecondaryMatch>
