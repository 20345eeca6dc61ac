import { z } from 'zod'
import { lengthOf, turnsDirection } from './plain-text.ts'
import { requiredLine } from './text.ts'

export const PERSON_NAME_MAX = 100
export const PASSWORD_MIN = 6
/** Longer ones are refused, never cut: hashing must not become a way to keep the server busy. */
const PASSWORD_MAX = 256
export const EMAIL_MAX = 254

export const passwordTooShort = (least: number) => `Password must be at least ${least} characters long`

const EMAIL_RULE = 'Enter a valid email address'

/** The shape of an address only, in plain ASCII. Who may join is the server's to say, in one place. */
export const email = z
  .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'Email is required' : EMAIL_RULE) })
  .min(1, { error: 'Email is required', abort: true })
  .max(EMAIL_MAX, { error: EMAIL_RULE, abort: true })
  .regex(/^[\x21-\x7e]+@[\x21-\x7e]+$/, EMAIL_RULE)

/** Kept to the letter, spaces included: trimming a password would change it. */
export const password = z
  .string({
    error: (issue) =>
      issue.input === undefined || issue.input === null ? 'Password is required' : 'Password must be text',
  })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), {
    error: 'Password contains invalid characters',
    abort: true,
  })
  .refine((text) => lengthOf(text) >= PASSWORD_MIN, { error: passwordTooShort(PASSWORD_MIN), abort: true })
  .refine((text) => lengthOf(text) <= PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`)
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

/** Names of people stand in sentences of ours: a name must not rearrange them, nor lead the reader elsewhere. */
export const personName = requiredLine('Name', PERSON_NAME_MAX)
  .refine((name) => !turnsDirection(name), { error: 'Name contains characters that change the direction of text' })
  .refine((name) => !/\/|www\./i.test(name), { error: 'Enter your name only, without a web address or a slash' })

const AuthAction = z.enum(['login', 'signup'])

/** The addresses that may join, for a sentence: any educational one, or those that the operator limits it to. */
export const whoMayJoin = (rule: { teamDomain: string; joinDomains?: string[] | undefined }) =>
  rule.joinDomains?.length
    ? `an address at ${rule.joinDomains.join(', ')} or ${rule.teamDomain}`
    : `an educational (.edu) address or one at ${rule.teamDomain}`

const TOKEN_MAX = 200
const TOKEN_RULE = 'This link is incomplete'

/** What a link carries. Whether it holds is the server's to say, in one sentence for every way it may not. */
const token = z
  .string({ error: TOKEN_RULE })
  .max(TOKEN_MAX, TOKEN_RULE)
  .regex(/^[\w-]+$/, TOKEN_RULE)

const invitation = token.optional().meta({ description: 'The token of an invitation link' })

export const CheckUserInput = z.object({ email, invitation })
export type CheckUserInput = z.infer<typeof CheckUserInput>
export const CheckUserAnswer = z.object({ exists: z.boolean(), action: AuthAction })
export type CheckUserAnswer = z.infer<typeof CheckUserAnswer>

export const LoginInput = z.object({ email, password })
export const RegisterInput = z.object({ email, password, name: personName, invitation })
export type RegisterInput = z.infer<typeof RegisterInput>

/** Without a name it can only sign in; a new address then answers `signup_required`. */
export const SmartAuthInput = z.object({ email, password, name: personName.optional(), invitation })
export type SmartAuthInput = z.infer<typeof SmartAuthInput>

export const User = z.object({ name: z.string(), email: z.string() })
export type User = z.infer<typeof User>

export const UserAnswer = z.object({ user: User })
export const MeAnswer = z.object({
  user: User.nullable().describe('Null only with `Prefer: handling=lenient`'),
  role: z.literal('manager').optional().describe('For managers only'),
})
export type MeAnswer = z.infer<typeof MeAnswer>

/** With mail set up, an account is no more than this until its address is proven: nobody is signed in. */
const VerifyEmailAnswer = z.object({
  action: z.literal('verify_email'),
  user: User,
  isMailed: z.boolean().describe('False when the mail server did not accept the mail'),
})

/** Until a manager or the operator approves it, an account is no more than this: it cannot sign in. */
const ApprovalPendingAnswer = z.object({ action: z.literal('approval_pending'), user: User })

/** The password was right; the code of the authenticator app is still to come, by `POST /auth/two-factor`. */
const TwoFactorAnswer = z.object({ action: z.literal('two_factor') })

export const RegisterAnswer = z.union([VerifyEmailAnswer, ApprovalPendingAnswer, UserAnswer])
export const LoginAnswer = z.union([TwoFactorAnswer, UserAnswer])
export const SmartAuthAnswer = z.discriminatedUnion('action', [
  z.object({ action: AuthAction, user: User }),
  VerifyEmailAnswer,
  ApprovalPendingAnswer,
  TwoFactorAnswer,
])
export type SmartAuthAnswer = z.infer<typeof SmartAuthAnswer>

const CODE_MAX = 40
const CODE_RULE = 'Enter a valid code'

/** Six digits of an authenticator app, or a recovery code; spaces and dashes are for the eye. */
export const code = z
  .string({ error: 'Enter the code' })
  .trim()
  .min(1, { error: 'Enter the code', abort: true })
  .max(CODE_MAX, CODE_RULE)
  .regex(/^[A-Za-z0-9 -]+$/, CODE_RULE)
  .meta({ maxLength: CODE_MAX })

export const CodeInput = z.object({ code })

export const VerifyInput = z.object({ token })
export const EmailInput = z.object({ email })
export const ResetInput = z.object({ token, password })

/** Why a single sign-on led back to `/auth?error=…` and not into the product. */
export const SsoError = z.enum([
  'not_allowed',
  'not_verified',
  'sso_failed',
  'disabled',
  'other_identity',
  'address_disabled',
  'invitation_required',
  'approval_pending',
])
export type SsoError = z.infer<typeof SsoError>

/** A way to sign in at somebody else's, as the server writes it into the page. */
export const SsoChoice = z.object({ id: z.enum(['google', 'microsoft', 'oidc']), name: z.string() })
export type SsoChoice = z.infer<typeof SsoChoice>
