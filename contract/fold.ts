// One fold of text, for whatever compares what people have typed: search, similar names, duplicates, the palette, the search
// for a person. `fold_again` in SQL does the same to texts that an earlier version folded.

const NOT_ASCII = /[^\0-\x7f]/

/** Soft hyphens, and characters without a width: joiners, marks of direction, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** NFKC turns an acute accent that stands alone into a space and a mark. */
const APOSTROPHE = /[\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb-\u02bd\ua78c]| \u0301/g
const QUOTE = /[\u201c-\u201f\u00ab\u00bb\u301d-\u301f]/g
const HYPHEN = /[\u2010-\u2015\u2043\u2212\u058a\u05be]/g

/** Folds text, so that differences of case, of compatible forms and of typography disappear. */
export function fold(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  return lower
    .replaceAll(INVISIBLE, '')
    .replaceAll(APOSTROPHE, "'")
    .replaceAll(QUOTE, '"')
    .replaceAll(HYPHEN, '-')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .normalize('NFKC')
}

/** Folds text, and leaves out accents and other marks. */
export const foldWithoutMarks = (text: string): string => fold(text).normalize('NFKD').replaceAll(/\p{M}/gu, '')

/** Characters that fold together: a letter with its marks, the parts of a Korean syllable. */
const UNIT = /(?:[\u1100-\u11ff]+|\P{M})[\p{M}\p{Cf}]*|\p{M}+/gu

/**
 * The folded text, and for each of its characters the position in the text from which it comes: folding changes lengths. The
 * last origin is the end of the text.
 */
export function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const units = Array.from(text.matchAll(UNIT), ({ 0: unit, index }) => ({ folded: fold(unit), index }))
  const joined = units.map(({ folded }) => folded).join('')
  const origins = units.flatMap(({ folded, index }) => Array<number>(folded.length).fill(index))
  const whole = fold(text)
  // Some letters depend on their place in a word.
  return { folded: whole.length === joined.length ? whole : joined, origins: [...origins, text.length] }
}
