import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
/** A clock may be this many steps off, either way. */
const DRIFT = 1
const RECOVERY_CODES = 10
/** 80 bits: too many to try, also against the hash. */
const RECOVERY_BYTES = 10

const totp = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Sourcebook', label, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** The secret of a new app, in the three forms that it is needed in. */
export function newSecret(email: string): { bytes: Uint8Array; uri: string; secret: string } {
  const secret = new Secret({ size: 20 })
  return { bytes: secret.bytes, uri: totp(secret, email).toString(), secret: secret.base32 }
}

/** The step of time that a six-digit code belongs to; undefined for one that is not good now. */
export function stepOf(code: string, bytes: Uint8Array): number | undefined {
  const now = Date.now()
  const delta = totp(new Secret({ buffer: new Uint8Array(bytes).buffer })).validate({
    token: code,
    timestamp: now,
    window: DRIFT,
  })
  return delta === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + delta
}

/** A code as it was meant: spaces, dashes and capitals are for the eye. */
export const plainCode = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()

export const isSixDigits = (code: string) => /^\d{6}$/.test(code)

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
    return letters.match(/.{4}/g)?.join('-') ?? letters
  })

export const hashOfRecoveryCode = (code: string) => createHash('sha256').update(plainCode(code)).digest('base64url')
