import { z } from 'zod'

/** Length in code points: the one unit in which every limit of the product counts, on page and server. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** What PostgreSQL cannot store, or would silently change: NUL and halves of surrogate pairs. */
const isReadable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** At least one character that a person can see: not only spaces, format and control characters. */
const isVisible = (text: string) => /[^\s\p{C}\p{Z}]/u.test(text)

const hasControls = (text: string) => /\p{Cc}/u.test(text)

const readable = (label: string, max: number, says: { missing?: string; tooLong?: string } = {}) =>
  z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? (says.missing ?? `${label} is required`) : `${label} must be text`,
    })
    .trim()
    .refine(isReadable, { error: `${label} contains characters that are not text`, abort: true })
    .refine((text) => lengthOf(text) <= max, {
      error: says.tooLong ?? `${label} must be at most ${max.toLocaleString('en')} characters`,
      abort: true,
    })
    .meta({ maxLength: max })

/** Text that may be empty, trimmed, over several lines if need be. `label` begins every sentence about it. */
export const optionalText = (label: string, max: number) => readable(label, max, { missing: `${label} must be text` })

/** Text with something to see in it, trimmed, over several lines if need be. */
export const requiredText = (label: string, max: number, says: { missing?: string; tooLong?: string } = {}) =>
  readable(label, max, says).refine(isVisible, { error: says.missing ?? `${label} is required` })

/** As `requiredText`, on one line. */
export const requiredLine = (label: string, max: number) =>
  requiredText(label, max).refine((text) => !hasControls(text), { error: `${label} must be on one line` })

/** True for an address that can be put into a link: absolute, http or https, nothing hidden in it. */
export const isWebAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s\p{C}]+$/iu.test(text)) return false
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}

const addressRule = (label: string) => `${label} must be a full address that begins with https:// or http://`

/** A web address that may be left empty. */
export const optionalWebAddress = (label: string, max: number) =>
  optionalText(label, max).refine((text) => text === '' || isWebAddress(text), { error: addressRule(label) })

/** A web address, kept as typed (trimmed only). Never normalised here: that form has a column of its own. */
export const webAddress = (label: string, max: number) =>
  requiredText(label, max).refine(isWebAddress, { error: addressRule(label) })
