import { isWebAddress } from '#contract/text.ts'

/** What may become a link: `http:` and `https:` only. Anything else, `javascript:` above all, is shown nowhere. */
export const webLink = (address: string | null | undefined) => (address && isWebAddress(address) ? address : undefined)

export const mailLink = (address: string | undefined) => {
  const plain = address?.trim().replace(/^mailto:/i, '')
  return plain && /^[^\s@]+@[^\s@]+$/.test(plain)
    ? `mailto:${encodeURIComponent(plain).replace('%40', '@')}`
    : undefined
}

/** The least of the sizes that the server keeps; it has it twice and three times as large for finer screens. */
const PICTURE_SIZE = 56

/**
 * What an image element loads a picture from: the product's own address only, as pictures of the web reach the page by
 * way of the server. Undefined for any other address.
 */
export const pictureSources = (address: string | undefined) => {
  const [path = '', query] = address?.split('?') ?? []
  if (!/^\/api(\/[\w-]+)+\/picture$/.test(path)) return undefined
  const at = (size: number) => `${path}?${new URLSearchParams([...new URLSearchParams(query), ['size', String(size)]])}`
  return {
    src: at(PICTURE_SIZE),
    srcSet: [2, 3].map((density) => `${at(PICTURE_SIZE * density)} ${density}x`).join(', '),
  }
}
