import { lengthOf } from '#contract/plain-text.ts'

/**
 * The error of a field with more characters than allowed. No field has `maxLength`, which cuts pasted text without a
 * word.
 */
export const tooLong = (label: string, text: string, max: number): string | undefined =>
  lengthOf(text.trim()) > max ? `${label} must be at most ${max.toLocaleString('en')} characters` : undefined
