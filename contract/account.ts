import { z } from 'zod'
import { code, email, password, personName, User, VerifyInput } from './auth.ts'

// The account of the signed-in person, and its changes.

export const AccountSession = z.object({
  id: z.uuid(),
  isCurrent: z.boolean(),
  device: z.string().describe('Such as `Chrome on Linux`; empty when unknown'),
  ip: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().describe('Accurate to 1/24 of the idle limit'),
})
export type AccountSession = z.infer<typeof AccountSession>

export const AccountAnswer = z.object({
  user: User,
  emailVerified: z.boolean(),
  hasPassword: z.boolean().describe('False for accounts that use single sign-on only'),
  twoFactor: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
  sessions: z.array(AccountSession).describe('The current one first, then by last use'),
})
export type AccountAnswer = z.infer<typeof AccountAnswer>

export const ChangeNameInput = z.object({ name: personName })
export type ChangeNameInput = z.infer<typeof ChangeNameInput>

export const AddressInput = z.object({ email })
export const AddressConfirmation = VerifyInput

/**
 * What a manager, the operator or the link of a mail changed of the account, and tokens that were made before this sign-in,
 * until its owner has read it.
 */
export const AccountNotice = z.object({
  id: z.uuid(),
  what: z.enum(['password', 'two_factor', 'address', 'name', 'digest', 'token', 'tokens_ended']),
  by: z.string().nullable().describe('The name of the manager. Null: the operator, or the link of a mail'),
  at: z.iso.datetime(),
})
export type AccountNotice = z.infer<typeof AccountNotice>

export const NoticesRead = z.object({
  until: z.iso.datetime({ error: 'Until must be a time' }).describe('The time of the newest one that was read'),
})

export const ChangePasswordInput = z.object({ currentPassword: password, newPassword: password })
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>

/** The signed-in person confirms their identity with the password. */
export const PasswordInput = z.object({ password })

/** Both factors again: for switching the second one off, and for new recovery codes. */
export const BothFactorsInput = z.object({
  password: password.optional().describe('Required where the account has a password'),
  code,
})
export type BothFactorsInput = z.infer<typeof BothFactorsInput>

export const TwoFactorSetup = z.object({
  uri: z.string().describe('otpauth://…, to show as a QR code'),
  secret: z.string().describe('The same secret, for typing'),
})
export type TwoFactorSetup = z.infer<typeof TwoFactorSetup>

/** Shown once. The server stores only hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const SessionParams = z.object({ id: z.uuid({ error: 'There is no such session' }) })
