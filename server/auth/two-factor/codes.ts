import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
/** The number of steps that a clock may be off, either way. */
const DRIFT = 1
const RECOVERY_CODES = 10
/** 80 bits: too many to guess, even with the hash. */
const RECOVERY_BYTES = 10

const totp = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Sourcebook', label, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** The secret of a new app, in its three forms. */
export function newSecret(email: string): { bytes: Uint8Array; uri: string; secret: string } {
  const secret = new Secret({ size: 20 })
  return { bytes: secret.bytes, uri: totp(secret, email).toString(), secret: secret.base32 }
}

/** The time step of a six-digit code; undefined for a code that is not valid now. */
export function stepOf(code: string, bytes: Uint8Array): number | undefined {
  const now = Date.now()
  const delta = totp(new Secret({ buffer: new Uint8Array(bytes).buffer })).validate({
    token: code,
    timestamp: now,
    window: DRIFT,
  })
  return delta === null ? undefined : Math.floor(now / 1000 / STEP_SECONDS) + delta
}

/** Normalises a code: ignores spaces, dashes and case. */
export const plainCode = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()

export const isSixDigits = (code: string) => /^\d{6}$/.test(code)

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
    return letters.match(/.{4}/g)?.join('-') ?? letters
  })

export const hashOfRecoveryCode = (code: string) => createHash('sha256').update(plainCode(code)).digest('base64url')
