// What the text of a cell with a name shows: one person, several ones, or no name.

/** Degrees and the like behind a name, besides the short ones in capitals. */
const TITLES = new Set([
  ...[
    'jr',
    'sr',
    'ii',
    'iii',
    'iv',
    'esq',
    'phd',
    'md',
    'mba',
    'msc',
    'bsc',
    'ma',
    'ba',
    'bs',
    'ms',
    'jd',
    'llm',
    'cfa',
  ],
  ...['cpa', 'dphil', 'meng', 'beng', 'pe', 'rn', 'dds', 'mph', 'ceo', 'cto', 'cfo', 'coo', 'founder', 'cofounder'],
])
const isTitle = (word: string) =>
  TITLES.has(word.replace(/[^\p{L}]/gu, '').toLowerCase()) || /^(?:\p{Lu}\p{Ll}{0,3}\.?){2,4}$/u.test(word)

/** Words of one part of a name, without those behind it that are no name. */
const wordsOfName = (part: string, isLoud: boolean) =>
  part.split(/\s+/).filter((word) => /\p{L}/u.test(word) && !(isTitle(word) && !(isLoud && word.length > 4)))

/**
 * Whether a text names several people: `Ada Alpha, Bea Beta`, `Ada & Bea Alpha`. Not one with titles (`Ada Alpha, MBA,
 * PhD`), with the last name first (`Alpha, Ada`), or with pronouns (`Ada Alpha (she/her)`).
 */
export function namesSeveral(text: string): boolean {
  const plain = text.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ').trim()
  const isLoud = !/\p{Ll}/u.test(plain)
  const parts = (pattern: RegExp) =>
    plain
      .split(pattern)
      .map((part) => wordsOfName(part, isLoud))
      .filter((words) => words.length > 0 && /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(words[0] ?? ''))
  const joined = parts(/\s*[&+;|\n\r]\s*|\s+(?:and|und|et)\s+|(?<!\b\p{L})\/(?!\p{L}\b)/u)
  if (joined.length > 1 && joined.some((words) => words.length > 1)) return true
  const listed = parts(/\s*[,、，]\s*/u)
  return listed.length > 2 || (listed.length === 2 && listed.every((words) => words.length > 1))
}

/** Whether a text is no name: an address, a number, a heading, or the end of a table. */
export const isNoName = (text: string): boolean =>
  /^\S+@\S+\.\S+$|^(?:https?:\/\/|www\.)\S+$|^[-+#]?[\d\s.,]+%?$|.:$/i.test(text) ||
  /^(?:grand )?(?:total|totals|sum|subtotal|summe|gesamt|insgesamt|somme|suma)$/i.test(text)
