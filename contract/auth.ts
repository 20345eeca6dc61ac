import { z } from 'zod'
import { lengthOf } from './plain-text.ts'
import { requiredName } from './text.ts'

export const PERSON_NAME_MAX = 100
export const PASSWORD_MIN = 6
/** Longer passwords are refused, never cut. The limit keeps hashing from being used to overload the server. */
const PASSWORD_MAX = 256
export const EMAIL_MAX = 254

export const passwordTooShort = (least: number) => `Password must be at least ${least} characters long`

const EMAIL_RULE = 'Enter a valid email address'

/** Checks only the shape of an address, in plain ASCII. The server decides in one place who may join. */
export const email = z
  .string({ error: (issue) => (issue.input === undefined || issue.input === null ? 'Email is required' : EMAIL_RULE) })
  .min(1, { error: 'Email is required', abort: true })
  .max(EMAIL_MAX, { error: EMAIL_RULE, abort: true })
  .regex(/^[\x21-\x7e]+@[\x21-\x7e]+$/, EMAIL_RULE)

/** Stored exactly as typed, spaces included: trimming would change the password. */
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

/** People write slashes between letters, such as `Arjun s/o Kumar` or `Ada Byron (she/her)`. Any other one may be a link. */
function hasAddress(name: string): boolean {
  const words = name.split(/\s+/)
  const isName = (word: string) => !word.includes('/') || word === '/' || /^\(?\p{L}+(?:\/\p{L}+)+\)?,?$/u.test(word)
  return /www\./i.test(name) || !words.every(isName) || words.every((word) => word.includes('/'))
}

/** Without a link, which mails would show. */
export const personName = requiredName('Name', PERSON_NAME_MAX).refine((name) => !hasAddress(name), {
  error: 'Enter your name only, without a web address or a slash',
})

const AuthAction = z.enum(['login', 'signup'])

/** The addresses that may join, as part of a sentence: any educational one, or those that the operator names. */
export const whoMayJoin = (rule: { teamDomain: string; joinDomains?: string[] | undefined }) =>
  rule.joinDomains?.length
    ? `an address at ${rule.joinDomains.join(', ')} or ${rule.teamDomain}`
    : `an educational (.edu) address or one at ${rule.teamDomain}`

const TOKEN_MAX = 200
const TOKEN_RULE = 'This link is incomplete'

/** The token of a link. The server checks whether it is valid, and returns one sentence for every failure. */
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

/** Without a name it can only sign in. For a new address the response is then `signup_required`. */
export const SmartAuthInput = z.object({ email, password, name: personName.optional(), invitation })
export type SmartAuthInput = z.infer<typeof SmartAuthInput>

export const User = z.object({ name: z.string(), email: z.string() })
export type User = z.infer<typeof User>

export const Role = z.enum(['fellow', 'manager'])
export type Role = z.infer<typeof Role>

export const UserAnswer = z.object({ user: User })
export const MeAnswer = z.object({
  user: User.nullable().describe('Null only with `Prefer: handling=lenient`'),
  account: z.uuid().optional().describe('The public id of the account, for `X-Account`'),
  signIn: z.uuid().optional().describe('A random id of the session, new at each sign-in'),
  role: Role.exclude(['fellow']).optional().describe('For managers only'),
})
export type MeAnswer = z.infer<typeof MeAnswer>

/** With mail set up, the new account has to verify its address first. The response opens no session. */
const VerifyEmailAnswer = z.object({
  action: z.literal('verify_email'),
  user: User,
  isMailed: z.boolean().describe('False when the mail server did not accept the mail'),
})

/** The account has to be approved by a manager or the operator before it can sign in. */
const ApprovalPendingAnswer = z.object({ action: z.literal('approval_pending'), user: User })

/** The password was right. The code of the authenticator app follows in `POST /auth/two-factor`. */
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

/** Six digits of an authenticator app, or a recovery code. Spaces and dashes are ignored. */
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

/** Why a single sign-on ended at `/auth?error=…` instead of in the product. */
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

/** A single sign-on provider, as the server writes it into the page. */
export const SsoChoice = z.object({ id: z.enum(['google', 'microsoft', 'oidc']), name: z.string() })
export type SsoChoice = z.infer<typeof SsoChoice>
