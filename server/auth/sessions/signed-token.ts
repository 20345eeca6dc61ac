import { createHmac, timingSafeEqual } from 'node:crypto'

const signature = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest()

/** The signed part. */
const TOKEN = /^([\w-]+)\./

/** Matches a signed cookie. A token consists of letters, digits, `-` and `_`. */
export const signedToken = (token: string, secret: string) => `${token}.${signature(token, secret).toString('base64')}`

/**
 * The token of a signed cookie; undefined when the signature is not ours. Compares the text and not the decoded bytes,
 * because base64 decoders accept several spellings of one signature.
 */
export function tokenOf(cookie: string | undefined, secret: string): string | undefined {
  const token = TOKEN.exec(cookie ?? '')?.[1]
  if (cookie === undefined || token === undefined) return undefined
  const given = Buffer.from(cookie)
  const expected = Buffer.from(signedToken(token, secret))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined
}
