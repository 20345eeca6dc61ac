import { passwordTooShort } from '#contract/auth.ts'
import { lengthOf } from '#contract/plain-text.ts'
import type { Settings } from '#server/env.ts'
import { invalid } from '#server/http/errors.ts'

// Refuses a new password only when it equals a refused word. A rule that also looks for such words inside a password
// refuses good passwords, and people then vary them until a worse one passes.

const PRODUCT = 'Sourcebook'

/** Case alone: a fold of more than that would refuse more passwords. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase()

let common: Promise<Set<string>> | undefined

/** The 49,000 most used passwords of zxcvbn. Loaded when the first password is chosen. */
export const commonPasswords = (): Promise<Set<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  )
  return common
}

type Person = { name: string; email: string }

/** Throws the 400 with the reason at `field`. */
export async function refuseWeakPassword(
  settings: Pick<Settings, 'passwordMin' | 'programmeName'>,
  password: string,
  person: Person,
  field: 'password' | 'newPassword' = 'password',
): Promise<void> {
  const reason = await weakness(settings, password, person)
  if (reason !== undefined) throw invalid({ [field]: reason })
}

async function weakness(
  { passwordMin, programmeName }: Pick<Settings, 'passwordMin' | 'programmeName'>,
  password: string,
  { name, email }: Person,
): Promise<string | undefined> {
  if (lengthOf(password) < passwordMin) return passwordTooShort(passwordMin)
  const folded = fold(password)
  const isOneOf = (words: string[]) => words.some((word) => fold(word) === folded)
  if (isOneOf([email, email.slice(0, email.indexOf('@'))])) return 'Password must not be your email address'
  if (isOneOf([name])) return 'Password must not be your name'
  if (isOneOf([PRODUCT, programmeName])) return 'Password must not be the name of this product or programme'
  if ((await commonPasswords()).has(folded)) return 'This password is too common. Choose another.'
  return undefined
}
