import type { SsoError } from '#contract/auth.ts'
import { settings } from '#web/lib/settings.ts'

const sentences: Record<SsoError, string> = {
  not_allowed: `That account may not join. Use an educational (.edu) address or one at ${settings.teamDomain}.`,
  not_verified: 'That account has not proven its email address. Confirm the address there, then try again.',
  sso_failed: 'Signing in there did not work. Try again, or go on with your email address.',
  other_identity:
    'This address was linked to a different account there. Sign in with your email address instead, or ask an administrator.',
  disabled: 'This account is disabled. Ask an administrator.',
}

/** Why a single sign-on led back here, as the address says it in a word. */
export const ssoRefusal = (error: string | null): string | undefined =>
  error !== null && Object.hasOwn(sentences, error) ? sentences[error as SsoError] : undefined
