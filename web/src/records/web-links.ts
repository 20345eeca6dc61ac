import { isWebAddress } from '#contract/text.ts'

/** What may become a link: `http:` and `https:` only. Anything else, `javascript:` above all, is shown nowhere. */
export const webLink = (address: string | null | undefined) => (address && isWebAddress(address) ? address : undefined)

export const mailLink = (address: string | undefined) => {
  const plain = address?.trim().replace(/^mailto:/i, '')
  return plain && /^[^\s@]+@[^\s@]+$/.test(plain)
    ? `mailto:${encodeURIComponent(plain).replace('%40', '@')}`
    : undefined
}

/**
 * A picture in one of the server's sizes, from the product's own address: pictures of the web reach the page by way of
 * the server only.
 */
export const pictureLink = (address: string | undefined, size: number) => {
  const [path = '', query] = address?.split('?') ?? []
  if (!/^\/api(\/[\w-]+)+\/picture$/.test(path)) return undefined
  return `${path}?${new URLSearchParams([...new URLSearchParams(query), ['size', String(size)]])}`
}
