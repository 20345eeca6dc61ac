import { z } from 'zod'
import { hasControls, isReadable, isVisible, isWebAddress, lengthOf, turnsDirection } from './plain-text.ts'

const readable = (label: string, max: number, says: { missing?: string; tooLong?: string } = {}) =>
  z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? (says.missing ?? `${label} is required`) : `${label} must be text`,
    })
    .trim()
    .refine(isReadable, { error: `${label} contains invalid characters`, abort: true })
    .refine((text) => lengthOf(text) <= max, {
      // Built lazily: formatting numbers by locale is slow the first time in a browser.
      error: () => says.tooLong ?? `${label} must be at most ${max.toLocaleString('en')} characters`,
      abort: true,
    })
    .meta({ maxLength: max })

/** Trimmed text that may be empty and may have several lines. Every error starts with `label`. */
export const optionalText = (label: string, max: number) => readable(label, max, { missing: `${label} must be text` })

/** Trimmed text with at least one visible character. It may have several lines. */
export const requiredText = (label: string, max: number, says: { missing?: string; tooLong?: string } = {}) =>
  readable(label, max, says).refine(isVisible, { error: says.missing ?? `${label} is required` })

/** Like `requiredText`, on one line. */
export const requiredLine = (label: string, max: number) =>
  requiredText(label, max).refine((text) => !hasControls(text), { error: `${label} must be on one line` })

/** The name of a person or a record. It appears inside our sentences, so it must not rearrange them. */
export const requiredName = (label: string, max: number) =>
  requiredLine(label, max).refine((name) => !turnsDirection(name), {
    error: `${label} contains characters that change the direction of text`,
  })

const urlRule = (example: string) => `Enter a full URL, such as ${example}`

/** A URL that may be left empty. */
export const optionalWebAddress = (label: string, max: number, example: string) =>
  optionalText(label, max).refine((text) => text === '' || isWebAddress(text), { error: urlRule(example) })

/** A URL, stored as typed (trimmed only). The normalised form has a column of its own. */
export const webAddress = (label: string, max: number, example: string) =>
  requiredText(label, max).refine(isWebAddress, { error: urlRule(example) })
