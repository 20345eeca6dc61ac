import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '#contract/token-scopes.ts'

// The text of a token: its prefix, 32 random bytes, and a check sum, by which a mistyped one is refused without a query and
// scanners tell a token from other text.

const SECRET_BYTES = 32
const TOKEN = new RegExp(`${TOKEN_PREFIX}[\\w-]{49}`, 'g')
const WHOLE = new RegExp(`^(${TOKEN.source.replace('{49}', '{43}')})([\\w-]{6})$`)

function checkSumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString('base64url')
}

export function createSecret(): string {
  const text = `${TOKEN_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
  return `${text}${checkSumOf(text)}`
}

/** Whether the text can be a token: its form and its check sum are right. */
export function isSecret(text: string): boolean {
  const [, body, sum] = WHOLE.exec(text) ?? []
  return body !== undefined && sum === checkSumOf(body)
}

/** Stored as SHA-256, so a database leak exposes no usable token. */
export const storedSecret = (secret: string) => `sha256:${hash('sha256', secret, 'base64url')}`

export const lastFourOf = (secret: string) => secret.slice(-4)

/** The token of a request; undefined for one that brings none of ours. Proxies may send credentials of their own. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const [, text] = /^bearer +(.*?) *$/i.exec(authorization ?? '') ?? []
  return text?.startsWith(TOKEN_PREFIX) ? text : undefined
}

/** Whether the query of an address has a token, which would stand in logs and histories on its way. */
export function isInAddress(url: string): boolean {
  const start = url.indexOf('?')
  if (start === -1) return false
  const query = url
    .slice(start)
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return (query.match(TOKEN) ?? []).some(isSecret)
}
