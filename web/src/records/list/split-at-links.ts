import { isWebAddress } from '#contract/plain-text.ts'

type Part = { text: string; href?: string; at: number }

const ADDRESS = /https?:\/\/[^\s<>"“”]+/giu
/** What follows an address in a sentence. */
const END = /[.,;:!?'’…]+$|(?<!\([^()]*)\)+[.,;:!?]*$/u
/** In characters, of what a link shows after its host. */
const PATH_MAX = 40

/** Splits a text at its web addresses. Each is shown as its host, without a user name before it, and its path. */
export function splitAtLinks(text: string): Part[] {
  const parts: Part[] = []
  let done = 0
  for (const match of text.matchAll(ADDRESS)) {
    const href = match[0].replace(END, '')
    if (!isWebAddress(href)) continue
    if (match.index > done) parts.push({ text: text.slice(done, match.index), at: done })
    parts.push({ text: shownAddress(href), href, at: match.index })
    done = match.index + href.length
  }
  if (done < text.length) parts.push({ text: text.slice(done), at: done })
  return parts
}

function shownAddress(href: string): string {
  const { host, pathname, search, hash } = new URL(href)
  const path = `${pathname}${search}${hash}`
  if (path === '/') return host
  return host + (path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path)
}
