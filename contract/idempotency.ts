import { z } from 'zod'

const IDEMPOTENCY_KEY_MAX = 64
const IDEMPOTENCY_KEY_RULE = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`

/**
 * A request that creates something may carry a key. A repeat with the same key within 24 hours, for example after a
 * lost response, creates nothing and returns what the first request created.
 */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string({ error: IDEMPOTENCY_KEY_RULE })
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX}}$`), IDEMPOTENCY_KEY_RULE)
    .optional()
    .meta({ description: 'A repeated key does not create a second record' }),
})
