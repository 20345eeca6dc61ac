import { mutationOptions } from '@tanstack/react-query'
import type { CheckUserAnswer, CheckUserInput, SmartAuthAnswer, SmartAuthInput, User } from '#contract/auth.ts'
import { drafts, type TextAtSignOut } from '#web/lib/drafts.ts'
import { LOGOUT, signOutBy } from '#web/lib/http/sign-out.ts'
import { post } from '#web/lib/http.ts'
import { replaceSession } from '#web/session/api.ts'

// All calls about sign-in.

/** Failures are shown at the field. */
export const checkUser = mutationOptions({
  mutationFn: (input: CheckUserInput) => post<CheckUserAnswer>('/auth/check-user', input, { open: true }),
})

/** The screen shows its failures: one of them leads to the signup step. */
export const smartAuth = mutationOptions({
  mutationFn: (input: SmartAuthInput) => post<SmartAuthAnswer>('/auth/smart-auth', input, { open: true }),
})

/** The second half of a sign-in. Failures are shown at the field. */
export const enterCode = mutationOptions({
  mutationFn: (code: string) => post<{ user: User }>('/auth/two-factor', { code }, { open: true }),
})

export const resendVerification = mutationOptions({
  mutationFn: (email: string) => post<void>('/auth/verify/resend', { email }, { open: true }),
})

export const askForReset = mutationOptions({
  mutationFn: (email: string) => post<void>('/auth/reset', { email }, { open: true }),
})

/** The screen shows its failures: an invalid link leads to another screen than a refused password. */
export const resetPassword = mutationOptions({
  mutationFn: (input: { token: string; password: string }) => post<void>('/auth/reset/confirm', input, { open: true }),
})

/** The screen shows its failures: one of them leads to a new password. */
export const verifyAddress = mutationOptions({
  mutationFn: (token: string) => post<void>('/auth/verify', { token }, { open: true }),
})

/** The screen shows its failures. */
export const confirmAddress = mutationOptions({
  mutationFn: (token: string) => post<{ user: User }>('/account/address/confirm', { token }, { open: true }),
})

/** `text` says what becomes of what was not saved. */
export const logout = mutationOptions({
  mutationFn: (_leaving: { account: string; text: TextAtSignOut }) => signOutBy(() => post<void>(LOGOUT)),
  onSuccess: (_answer, { account, text }, _result, { client }) => {
    drafts.signOut(account, text)
    return replaceSession(client, { user: null })
  },
  meta: { failure: 'Failed to logout' },
})
