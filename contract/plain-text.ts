// What can be said of text without a schema.

/** Length in code points: the one unit in which every limit of the product counts, on page and server. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** What PostgreSQL cannot store, or would silently change: NUL and halves of surrogate pairs. */
export const isReadable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** At least one character that a person can see: not only spaces, format and control characters. */
export const isVisible = (text: string) => /[^\s\p{C}\p{Z}]/u.test(text)

export const hasControls = (text: string) => /\p{Cc}/u.test(text)

/** True for an address that can be put into a link: absolute, http or https, nothing hidden in it. */
export const isWebAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s\p{C}]+$/iu.test(text)) return false
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}

/** Marks that turn the direction of the text around them. Scripts from right to left are written without them. */
export const turnsDirection = (text: string) => /[\u202a-\u202e\u2066-\u2069]/.test(text)
