import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { Settings } from '#server/env.ts'

// What a mail has of its account: the token that stops it, and its id. Both are signed, so neither is stored.

const ID_BYTES = 16

const signed = (secret: string, ...parts: string[]) => createHmac('sha256', secret).update(parts.join(' ')).digest()

/** Stops the mail of an account, by its public id. */
export function stopToken(secret: string, publicId: string): string {
  return Buffer.concat([parse(publicId), signed(secret, 'digest stop', publicId)]).toString('base64url')
}

/** The public id of the account of a token; undefined for one that the product has not made. */
export function accountOfStop(secret: string, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= ID_BYTES || bytes.toString('base64url') !== token) return undefined
  const publicId = stringify(bytes.subarray(0, ID_BYTES), undefined)
  const [given, right] = [bytes.subarray(ID_BYTES), signed(secret, 'digest stop', publicId)]
  return given.length === right.length && timingSafeEqual(given, right) ? publicId : undefined
}

export const stopAddress = ({ address }: Pick<Settings, 'address'>, token: string): string => `${address}/stop/${token}`

/** The same for each copy of the mail of a day, so that a second one is known. */
export const messageId = (secret: string, { address }: Pick<Settings, 'address'>, accountId: string, day: string) =>
  `<${signed(secret, 'digest', accountId, day).toString('hex')}@${new URL(address).hostname}>`
