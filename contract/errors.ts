import { z } from 'zod'

/** Present on every response: the id of the request in the log. */
export const REQUEST_ID_HEADER = 'x-request-id'

const FAILURE_CODES = [
  ...(['forgery', 'choose_password', 'approval_pending', 'merged', 'merged_in', 'confirm'] as const),
  ...(['do_not_keep', 'other_account', 'start_over', 'two_identities'] as const),
] as const

/** Every failure on the wire: one sentence for a person, and details for a program. */
export const Failure = z.object({
  error: z.string(),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'One sentence per field, on 400 and on 403 of a field' }),
  code: z.enum(FAILURE_CODES).optional().meta({
    description:
      '`forgery`: the anti-forgery token is missing or stale: ask /auth/me, repeat once. `choose_password`: send the token to /auth/reset/confirm with a new password. `approval_pending`: the password is right, and the account is not approved yet. `merged`: the record was merged into `mergedInto`. `merged_in`: records of others were merged into it, by `merges`. `confirm`: call /account/confirm, then repeat. `do_not_keep`: a person with this address asked not to be kept; a manager can repeat the call with `overrule`. `other_account`: `X-Account` names another account than that of the session, and nothing was done. `start_over`: this cursor of the feed is older than a restore or a move: read the feed without a cursor. `two_identities`: an access token came with the cookie of a session',
  }),
  mergedInto: z.uuid().optional(),
  requestId: z.string().optional().meta({ description: 'On 5xx: what to quote to the operator, as in x-request-id' }),
  action: z.enum(['signup_required', 'verify_email']).optional(),
})
export type Failure = z.infer<typeof Failure>

/** The 409 of an edit: of an outdated version, with the current record, or of a merged record. Nothing was changed. */
export const conflictWith = <Current extends z.ZodType>(current: Current) =>
  Failure.extend({ current: current.optional() })
