import { PICTURE_SIZES } from '#contract/limits.ts'
import { isWebAddress } from '#contract/plain-text.ts'

/** Only `http:` and `https:` addresses become links. Any other, such as `javascript:`, is not shown. */
export const webLink = (address: string | null | undefined) => (address && isWebAddress(address) ? address : undefined)

/** A web address without what looks the same everywhere. */
export const shortAddress = (address: string) => address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')

export const mailLink = (address: string | undefined) => {
  const plain = address?.trim().replace(/^mailto:/i, '')
  return plain && /^[^\s@]+@[^\s@]+$/.test(plain)
    ? `mailto:${encodeURIComponent(plain).replace('%40', '@')}`
    : undefined
}

/**
 * The sources of an image element. Only the product's own address is accepted, because the server fetches all pictures
 * of the web. Undefined for any other address.
 */
export const pictureSources = (address: string | undefined) => {
  const [path = '', query] = address?.split('?') ?? []
  if (!/^\/api(\/[\w-]+)+\/picture$/.test(path)) return undefined
  const at = (size: number) => `${path}?${new URLSearchParams([...new URLSearchParams(query), ['size', String(size)]])}`
  return {
    src: at(PICTURE_SIZES[0]),
    srcSet: PICTURE_SIZES.map((size, index) => `${at(size)} ${index + 1}x`).join(', '),
  }
}
