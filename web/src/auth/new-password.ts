import { z } from 'zod'
import { password, passwordTooShort } from '#contract/auth.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { settings } from '#web/lib/settings.ts'

/** A password that is being chosen: the operator may ask for more characters than a sign-in needs to have. */
export const newPassword = z
  .string()
  .refine((text) => lengthOf(text) >= settings.passwordMin, {
    error: () => passwordTooShort(settings.passwordMin),
    abort: true,
  })
  .pipe(password)
