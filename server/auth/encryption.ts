import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

// For what is used again, so that a hash is not enough. It is encrypted with the server's secret and bound to its row, so that a
// leaked table alone cannot produce it.

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What it is for, which has a key of its own. */
export type Purpose = 'two-factor' | 'channel' | 'webhook'

const keyOf = (secret: string, purpose: Purpose) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

export function encrypt(plain: Uint8Array, purpose: Purpose, rowId: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(secret, purpose), nonce).setAAD(Buffer.from(rowId))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Undefined when it was encrypted with another secret, or for another purpose or row. */
export function decrypt(encrypted: string, purpose: Purpose, rowId: string, secret: string): Uint8Array | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret, purpose), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(rowId))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
