import { createHmac, randomBytes } from 'node:crypto'
import { signedToken, tokenOf } from '#server/auth/sessions/signed-token.ts'

// A browser that has completed a sign-in is known from then on, so that wrong passwords of strangers do not lock it
// out. Its cookie holds the accounts that signed in there, each bound to its password: a new password invalidates it
// everywhere.

/** Browsers keep no cookie for longer. */
export const DEVICE_SECONDS = 400 * 86_400
const ACCOUNTS_MAX = 5

/** Separates this cookie from others that the same secret signs. */
const MARK = 'device-'

/**
 * A browser: its own id, and the accounts that signed in there, newest first, each with the version of its password.
 */
export type Device = { id: string; accounts: [id: string, version: string][] }

type Entered = { id: string; passwordHash: string | null; devicesEndedAt: Date | null }

/** Changes with the password and with the end of all devices, and reveals nothing about them. */
const versionOf = (secret: string, { id, passwordHash, devicesEndedAt }: Entered) =>
  createHmac('sha256', secret)
    .update(`password version ${id} ${passwordHash ?? ''}${devicesEndedAt ? ` ${devicesEndedAt.getTime()}` : ''}`)
    .digest('base64url')
    .slice(0, 22)

/** The cookie of a device after a sign-in to an account. */
export function deviceCookie(secret: string, device: Device | undefined, account: Entered): string {
  const others = (device?.accounts ?? []).filter(([id]) => id !== account.id)
  const accounts = [[account.id, versionOf(secret, account)], ...others].slice(0, ACCOUNTS_MAX)
  const id = device?.id ?? randomBytes(16).toString('base64url')
  return signedToken(MARK + Buffer.from(JSON.stringify({ id, accounts })).toString('base64url'), secret)
}

/** The device of a cookie; undefined when the cookie is not ours. */
export function deviceOf(cookie: string | undefined, secret: string): Device | undefined {
  const token = tokenOf(cookie, secret)
  if (!token?.startsWith(MARK)) return undefined
  return JSON.parse(Buffer.from(token.slice(MARK.length), 'base64url').toString())
}

/** The id of a device that has signed in to this account with its current password. */
export function knownDevice(
  secret: string,
  device: Device | undefined,
  account: Entered | undefined,
): string | undefined {
  if (device === undefined || account === undefined) return undefined
  const version = versionOf(secret, account)
  return device.accounts.some(([id, known]) => id === account.id && known === version) ? device.id : undefined
}
