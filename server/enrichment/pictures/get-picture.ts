import { AddressRefused } from '#server/guarded-fetch/address-refused.ts'
import type { GuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import { type EncodedPicture, encodePicture, PICTURE_BYTES_MAX, PictureRefused } from './encode.ts'

/** Fetches and encodes the picture at an untrusted address; undefined when it cannot be read or shown. */
export async function getPicture(
  guardedClient: GuardedClient,
  address: string,
  signal: AbortSignal,
): Promise<EncodedPicture | undefined> {
  try {
    const { body } = await guardedClient.get(address, { signal, accept: 'image/*', maxBytes: PICTURE_BYTES_MAX })
    return await encodePicture(body)
  } catch (error) {
    if (error instanceof AddressRefused || error instanceof PictureRefused) return undefined
    throw error
  }
}
