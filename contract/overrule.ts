import { z } from 'zod'
import { ERASURE_REASONS } from './privacy.ts'

/** Saves an address although its owner asked not to be kept. For managers. */
export const Overrule = z.object(
  { reason: z.enum(ERASURE_REASONS, { error: 'Choose a reason' }) },
  { error: 'Choose a reason' },
)
export type Overrule = z.infer<typeof Overrule>

/** The body of a call whose refusal a manager may overrule. */
export const withOverrule = <Body>(schema: z.ZodType<Body>): z.ZodType<Body & { overrule?: Overrule | undefined }> =>
  (schema as unknown as z.ZodObject).extend({
    overrule: Overrule.optional().meta({ description: 'Of a refusal with `do_not_keep`, by a manager' }),
  }) as unknown as z.ZodType<Body & { overrule?: Overrule | undefined }>
