import { type SsoError, whoMayJoin } from '#contract/auth.ts'
import { settings } from '#web/lib/settings.ts'

const sentences: Record<SsoError, string> = {
  not_allowed: `That account may not join. Use ${whoMayJoin(settings)}.`,
  not_verified: 'That account has not confirmed its email address. Confirm it there, then try again.',
  sso_failed: 'Single sign-on failed. Try again, or continue with your email address.',
  other_identity:
    'This address was linked to a different account there. Sign in with your email address instead, or ask an administrator.',
  disabled: 'This account is disabled. Ask an administrator.',
  address_disabled: 'An account with another spelling of this address is disabled. Ask an administrator.',
  invitation_required:
    'Signing up is by invitation only. Open the link of your invitation and sign up with a password.',
  approval_pending: 'Your account is waiting for approval. You can sign in once it is approved.',
}

/** The reason for a failed single sign-on, by its code in the address. */
export const ssoRefusal = (error: string | null): string | undefined =>
  error !== null && Object.hasOwn(sentences, error) ? sentences[error as SsoError] : undefined
