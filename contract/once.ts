import { z } from 'zod'

export const ONCE_KEY_MAX = 64
const ONCE_KEY_RULE = `Idempotency-Key must be 1 to ${ONCE_KEY_MAX} visible ASCII characters`

/**
 * A request that makes something may carry a key of the caller's own. Sent again with the same key within 24 hours, as
 * when the answer was lost, it makes nothing new and is answered with what it made the first time.
 */
export const OnceHeaders = z.looseObject({
  'idempotency-key': z
    .string({ error: ONCE_KEY_RULE })
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${ONCE_KEY_MAX}}$`), ONCE_KEY_RULE)
    .optional()
    .meta({ description: 'The same key again makes nothing twice' }),
})
