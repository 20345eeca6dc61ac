import { isWebAddress } from '#contract/plain-text.ts'

/** A host with a dot in it, then perhaps a port, a path, a query. */
const LOOKS_LIKE_ADDRESS = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** The text of a field with `https://` in front, where only that is missing of a web address; else the text itself. */
export function completeAddress(text: string): string {
  const address = `https://${text.trim()}`
  return LOOKS_LIKE_ADDRESS.test(text.trim()) && isWebAddress(address) ? address : text
}
