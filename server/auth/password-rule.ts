import { passwordTooShort } from '#contract/auth.ts'
import { lengthOf } from '#contract/plain-text.ts'
import type { Settings } from '#server/env.ts'
import { invalid } from '#server/errors.ts'

// What a new password may not be (ASVS 6.2.4, 6.2.11, 6.2.12). Compared as a whole, whatever its case and width;
// digits and signs around a refused word do not save it, as they are what is tried first.

const PRODUCT = ['Sourcebook', 'fellow', 'fellows']
/** Shorter words are no hint: nearly every password would contain somebody's initials. */
const WORD_MIN = 3
/** Below this, what is left of a common password without its digits says nothing. */
const COMMON_CORE_MIN = 4

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
const squash = (text: string) => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
const bare = (text: string) => fold(text).replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** A word as it is, without its spaces and signs, and without the digits around it. */
const formsOf = (text: string) =>
  [fold(text), squash(text), squash(bare(text))].filter((form) => lengthOf(form) >= WORD_MIN)

let common: Promise<Set<string>> | undefined

/** The 49,000 most used passwords that zxcvbn knows. Read once, when the first password is chosen. */
export const commonPasswords = (): Promise<Set<string>> => {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  )
  return common
}

type Person = { name: string; email: string }

/** Throws the 400 with the reason at `field` for a password that nobody should choose. */
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
  const forms = formsOf(password)
  const isOneOf = (words: string[]) => words.some((word) => formsOf(word).some((form) => forms.includes(form)))
  if (isOneOf([email, email.slice(0, email.indexOf('@'))])) return 'Password must not be your email address'
  if (isOneOf([name, ...name.split(/\s+/)])) return 'Password must not be your name'
  if (isOneOf([...PRODUCT, programmeName, ...programmeName.split(/\s+/)])) {
    return 'Password must not be the name of this product or programme'
  }
  const known = await commonPasswords()
  const core = bare(password)
  if (known.has(fold(password)) || (lengthOf(core) >= COMMON_CORE_MIN && known.has(core))) {
    return 'Password is one of the most common ones, which are guessed first'
  }
  return undefined
}
