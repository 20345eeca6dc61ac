import { createHmac, timingSafeEqual } from 'node:crypto'

const signature = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest()

/** What comes before the signature. */
const TOKEN = /^([\w-]+)\./

/** What a signed cookie holds. A token is of letters, digits, `-` and `_`. */
export const signedToken = (token: string, secret: string) => `${token}.${signature(token, secret).toString('base64')}`

/**
 * The token in a signed cookie, or undefined when the signature is not ours. The text is compared, not the bytes that it
 * decodes to: decoders of base64 accept many spellings of one signature.
 */
export function tokenOf(cookie: string | undefined, secret: string): string | undefined {
  const token = TOKEN.exec(cookie ?? '')?.[1]
  if (cookie === undefined || token === undefined) return undefined
  const given = Buffer.from(cookie)
  const expected = Buffer.from(signedToken(token, secret))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined
}
