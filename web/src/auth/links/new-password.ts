import { z } from 'zod'
import { password, passwordTooShort } from '#contract/auth.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { settings } from '#web/lib/settings.ts'

/** The rule for choosing a password: the operator may ask for more characters than a sign-in does. */
export const newPassword = z
  .string()
  .refine((text) => lengthOf(text) >= settings.passwordMin, {
    error: () => passwordTooShort(settings.passwordMin),
    abort: true,
  })
  .pipe(password)
