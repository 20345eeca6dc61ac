// What both sides do with text, without a schema.

/** Length in code points: the unit of every limit, in the page and on the server. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Where the name of the other record stands in a sentence of the history. */
export const OTHER_RECORD = '{other}'

/** With a capital at the start. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** `a founder`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** False for text that PostgreSQL cannot store or would silently change: NUL and lone surrogates. */
export const isReadable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** True with at least one visible character: not only spaces, format and control characters. */
export const isVisible = (text: string) => /[^\s\p{C}\p{Z}]/u.test(text)

export const hasControls = (text: string) => /\p{Cc}/u.test(text)

/** True for an address that is safe as a link: absolute, http or https, without hidden characters. */
export const isWebAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s\p{C}]+$/iu.test(text)) return false
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}

/** Leaves out explicit marks of text direction. Right-to-left scripts do not need them. */
export const withoutTurns = (text: string) => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '').trim()

export const turnsDirection = (text: string) => withoutTurns(text) !== text.trim()

/** A host with a dot, then optionally a port, a path and a query. */
const LOOKS_LIKE_ADDRESS = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** Adds `https://` to a web address that only lacks it. Returns any other text unchanged. */
export function completeAddress(text: string): string {
  const address = `https://${text.trim()}`
  return LOOKS_LIKE_ADDRESS.test(text.trim()) && isWebAddress(address) ? address : text
}

/** The name of a profile on LinkedIn: `ada-lovelace`, `in/ada-lovelace`. */
const HANDLE = /^(?:\/?in\/|@)?([\p{L}\p{N}][\p{L}\p{N}-]{2,99})\/?$/u

/** Makes the address of a profile from its name, and completes an address as `completeAddress` does. */
export function completeProfile(text: string): string {
  const [, handle] = HANDLE.exec(text.trim()) ?? []
  return handle === undefined ? completeAddress(text) : `https://www.linkedin.com/in/${handle}`
}
