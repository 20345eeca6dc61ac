import { z } from 'zod'
import { lengthOf, requiredLine } from './text.ts'

export const PERSON_NAME_MAX = 100
export const PASSWORD_MIN = 6
/** Longer ones are refused, never cut: hashing must not become a way to keep the server busy. */
export const PASSWORD_MAX = 256
export const EMAIL_MAX = 254

export const PASSWORD_TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`

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
    error: 'Password contains characters that are not text',
    abort: true,
  })
  .refine((text) => lengthOf(text) >= PASSWORD_MIN, { error: PASSWORD_TOO_SHORT, abort: true })
  .refine((text) => lengthOf(text) <= PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`)
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

export const personName = requiredLine('Name', PERSON_NAME_MAX)

export const AuthAction = z.enum(['login', 'signup'])

export const CheckUserInput = z.object({ email })
export const CheckUserAnswer = z.object({ exists: z.boolean(), action: AuthAction })
export type CheckUserAnswer = z.infer<typeof CheckUserAnswer>

export const LoginInput = z.object({ email, password })
export const RegisterInput = z.object({ email, password, name: personName })
export type RegisterInput = z.infer<typeof RegisterInput>

/** Without a name it can only sign in; a new address then answers `signup_required`. */
export const SmartAuthInput = z.object({ email, password, name: personName.optional() })
export type SmartAuthInput = z.infer<typeof SmartAuthInput>

export const User = z.object({ name: z.string(), email: z.string() })
export type User = z.infer<typeof User>

export const UserAnswer = z.object({ user: User })
export const MeAnswer = z.object({ user: User.nullable().describe('Null only with `Prefer: handling=lenient`') })
export type MeAnswer = z.infer<typeof MeAnswer>
export const SmartAuthAnswer = z.object({ action: AuthAction, user: User })
export type SmartAuthAnswer = z.infer<typeof SmartAuthAnswer>
