import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  AccountAnswer,
  AccountNotice,
  ChangeNameInput,
  ChangePasswordInput,
  RecoveryCodes,
  TwoFactorSetup,
} from '#contract/account.ts'
import type { User } from '#contract/auth.ts'
import type { Digest, DigestInput } from '#contract/digest.ts'
import type { AccessTokens, NewAccessToken, TokenInput } from '#contract/tokens.ts'
import { del, get, patch, post, put } from '#web/lib/http.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { changeUser, isOfSession } from '#web/session/api.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const ACCOUNT = '/account'

// All calls about the account of the signed-in person. Forms show their own failures.

export const account = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => get<AccountAnswer>(ACCOUNT, { signal }),
  // Sessions start and end on other devices, so the account is refetched whenever it is opened.
  staleTime: 0,
  meta: { failure: 'Failed to load your account' },
})

/** Refetches the account after any change. */
const refetchAccount = (_answer: unknown, _input: unknown, _result: unknown, { client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: account.queryKey })

/** The name also appears on records, notes and the dashboard, so all visible data is refetched. */
export const changeName = mutationOptions({
  mutationFn: (input: ChangeNameInput) => patch<{ user: User }>(ACCOUNT, input),
  onSuccess: ({ user }, _input, _result, { client }) => {
    changeUser(client, user)
    return client.invalidateQueries({ predicate: (query) => !isOfSession(query) })
  },
})

/** When the person gets mail of what is unread. */
export const getDigest = queryOptions({
  queryKey: ['digest'],
  queryFn: ({ signal }) =>
    get<Digest>(`${ACCOUNT}/digest?${new URLSearchParams({ timeZone: timeZone() })}`, { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to load when you get mail' },
})

export const changeDigest = mutationOptions({
  mutationFn: (input: DigestInput) => put<Digest>(`${ACCOUNT}/digest`, input),
  onSuccess: (saved, _input, _result, { client }) => client.setQueryData(getDigest.queryKey, saved),
  meta: { failure: 'This could not be saved' },
})

export const getTokens = queryOptions({
  queryKey: ['access-tokens'],
  queryFn: ({ signal }) => get<AccessTokens>(`${ACCOUNT}/tokens`, { signal }),
  // When they were last used changes without this page.
  staleTime: 0,
  meta: { failure: 'Failed to load your access tokens' },
})

const refetchTokens = (_answer: unknown, _input: unknown, _result: unknown, { client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: getTokens.queryKey })

export const createToken = mutationOptions({
  mutationFn: (input: TokenInput) => withIdentity(() => post<NewAccessToken>(`${ACCOUNT}/tokens`, input)),
  onSuccess: refetchTokens,
})

export const deleteToken = mutationOptions({
  mutationFn: (id: string) => del(`${ACCOUNT}/tokens/${id}`),
  onSettled: (_answer, _failure, _input, _result, { client }) => refetchTokens(0, 0, 0, { client }),
  meta: { failure: 'The token could not be ended' },
})

/** Sends a link to the address. The account keeps its own until the link is used. */
export const requestAddress = mutationOptions({
  mutationFn: ({ email }: { email: string }) => withIdentity(() => post<void>(`${ACCOUNT}/address`, { email })),
})

/** What others changed of the account. Asked once a page; a failure shows nothing. */
export const listNotices = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => get<AccountNotice[]>(`${ACCOUNT}/notices`, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export const readNotices = mutationOptions({
  mutationFn: (until: string) => post<void>(`${ACCOUNT}/notices/seen`, { until }),
  onSuccess: (_answer, _until, _result, { client }) => client.setQueryData(listNotices.queryKey, []),
  meta: { failure: 'This could not be saved' },
})

export const changePassword = mutationOptions({
  mutationFn: (input: ChangePasswordInput) => post<void>(`${ACCOUNT}/password`, input),
  onSuccess: refetchAccount,
})

/** The factors that a call asks a signed-in person for again. */
export type Factors = { password?: string; code?: string }

export const beginTwoFactor = mutationOptions({
  mutationFn: (factors: Factors) => post<TwoFactorSetup>(`${ACCOUNT}/two-factor`, factors),
})

export const confirmTwoFactor = mutationOptions({
  mutationFn: (factors: Factors) => post<RecoveryCodes>(`${ACCOUNT}/two-factor/confirm`, factors),
  onSuccess: refetchAccount,
})

export const renewRecoveryCodes = mutationOptions({
  mutationFn: (factors: Factors) => post<RecoveryCodes>(`${ACCOUNT}/two-factor/recovery-codes`, factors),
  onSuccess: refetchAccount,
})

export const switchTwoFactorOff = mutationOptions({
  mutationFn: (factors: Factors) => post<void>(`${ACCOUNT}/two-factor/off`, factors),
  onSuccess: refetchAccount,
})

/** Refetches after a failure too, because the session may have ended by itself. */
export const endSession = mutationOptions({
  mutationFn: (id: string) => del(`${ACCOUNT}/sessions/${id}`),
  onSettled: (_answer, _failure, _input, _result, { client }) => refetchAccount(0, 0, 0, { client }),
  meta: { failure: 'Failed to sign out there' },
})

export const endOtherSessions = mutationOptions({
  mutationFn: () => del(`${ACCOUNT}/sessions`),
  onSuccess: refetchAccount,
  meta: { failure: 'Failed to sign out elsewhere' },
})
