import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  AccountAnswer,
  ChangePasswordInput,
  RecoveryCodes,
  SwitchTwoFactorOffInput,
  TwoFactorSetup,
} from '#contract/account.ts'
import { del, get, post } from '#web/lib/http.ts'

const ACCOUNT = '/account'

// All that the page says to the server about the account of who is signed in. Failures of forms are told by the forms.

export const account = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => get<AccountAnswer>(ACCOUNT, { signal }),
  // Sessions begin and end elsewhere, so it is requested again whenever it is opened.
  staleTime: 0,
  meta: { failure: 'Failed to load your account' },
})

/** Whatever is changed, what is shown of the account is asked for again. */
const renew = (_answer: unknown, _input: unknown, _result: unknown, { client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: account.queryKey })

export const changePassword = mutationOptions({
  mutationFn: (input: ChangePasswordInput) => post<void>(`${ACCOUNT}/password`, input),
  onSuccess: renew,
})

export const beginTwoFactor = mutationOptions({
  mutationFn: (password: string) => post<TwoFactorSetup>(`${ACCOUNT}/two-factor`, { password }),
})

export const confirmTwoFactor = mutationOptions({
  mutationFn: (code: string) => post<RecoveryCodes>(`${ACCOUNT}/two-factor/confirm`, { code }),
  onSuccess: renew,
})

export const renewRecoveryCodes = mutationOptions({
  mutationFn: (password: string) => post<RecoveryCodes>(`${ACCOUNT}/two-factor/recovery-codes`, { password }),
  onSuccess: renew,
})

export const switchTwoFactorOff = mutationOptions({
  mutationFn: (input: SwitchTwoFactorOffInput) => post<void>(`${ACCOUNT}/two-factor/off`, input),
  onSuccess: renew,
})

/** Also when it failed: the session may have ended by itself meanwhile. */
export const endSession = mutationOptions({
  mutationFn: (id: string) => del(`${ACCOUNT}/sessions/${id}`),
  onSettled: (_answer, _failure, _input, _result, { client }) => renew(0, 0, 0, { client }),
  meta: { failure: 'Failed to sign out there' },
})

export const endOtherSessions = mutationOptions({
  mutationFn: () => del(`${ACCOUNT}/sessions`),
  onSuccess: renew,
  meta: { failure: 'Failed to sign out elsewhere' },
})
