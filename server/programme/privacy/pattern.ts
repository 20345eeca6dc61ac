import type { PersonSearch } from '#contract/privacy.ts'
import { linkedInPerson } from '#server/records/keys.ts'

// A person as a regular expression of PostgreSQL, for text without accents (`withoutAccents` in `scan.ts`). Each letter is
// written in both cases, so that the locale of the database plays no part.

/** In a shorter word, another letter makes another word. */
const TYPO_FROM = 5
/** More words are compared in their own order and the reverse. */
const PERMUTED_MAX = 3
const SEPARATOR = '[[:space:][:punct:]]{1,3}'
/** Between two words of a name there may be a middle name. */
const BETWEEN = `${SEPARATOR}([^[:space:]]{1,20}${SEPARATOR})?`

/** Letters that have no accent to take off, and the letter that people write instead. */
const VARIANTS: Record<string, string> = { o: 'ø', l: 'ł', d: 'đð', i: 'ı' }
const PLAIN = new Map(Object.entries(VARIANTS).flatMap(([plain, all]) => [...all].map((letter) => [letter, plain])))

export const plainText = (text: string): string =>
  [
    ...text
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .toLowerCase(),
  ]
    .map((letter) => PLAIN.get(letter) ?? letter)
    .join('')

/** The expression of a person. Empty where nothing can be searched. */
export function personPattern({ names, linkedIn = '', email = '' }: PersonSearch): string {
  const alternatives = [...names.flatMap(namePatterns), ...linkedInPatterns(linkedIn), ...emailPatterns(email)]
  return [...new Set(alternatives)].join('|')
}

function namePatterns(name: string): string[] {
  const words = plainText(name)
    .split(/[\s,.;:!?()"'’_/\\-]+/u)
    .filter(Boolean)
  if (words.length === 0) return []
  return orders(words).flatMap((order) => {
    const mistaken = order.flatMap((word, at) => (word.length < TYPO_FROM ? [] : [at]))
    return (mistaken.length > 0 ? mistaken : [-1]).map((wrong) =>
      order.map((word, at) => whole(word, at === wrong ? withMistake(word) : exactly(word))).join(BETWEEN),
    )
  })
}

function orders(words: string[]): string[][] {
  if (words.length > PERMUTED_MAX) return [words, words.toReversed()]
  if (words.length <= 1) return [words]
  return words.flatMap((word, at) => orders(words.toSpliced(at, 1)).map((rest) => [word, ...rest]))
}

/** Beginnings and ends of words are known for ASCII in every locale. */
const whole = (word: string, pattern: string) => (/^[\da-z]+$/.test(word) ? `\\m${pattern}\\M` : pattern)

const letters = (text: string): string[] =>
  [...text].map((letter) => {
    const all = [letter, ...(VARIANTS[letter] ?? '')]
    const cases = [...new Set(all.flatMap((one) => [one, one.toUpperCase()]))].filter((one) => [...one].length === 1)
    return cases.length > 1 ? `[${cases.join('')}]` : letter.replace(/[^\p{L}\p{N}]/u, '\\$&')
  })

const exactly = (text: string): string => letters(text).join('')

/** The word with at most one letter less, more or other, or two letters swapped. */
function withMistake(word: string): string {
  const all = letters(word)
  const replaced = all.map((_, at) => all.with(at, '[[:alnum:]]{0,2}').join(''))
  const swapped = all.slice(1).map((letter, at) =>
    all
      .with(at, letter)
      .with(at + 1, all[at] as string)
      .join(''),
  )
  return `(${[...replaced, ...swapped].join('|')})`
}

function linkedInPatterns(address: string): string[] {
  if (address === '') return []
  const handle = linkedInPerson(address) ?? address.replace(/^[a-z]+:\/\/(www\.)?/i, '').replace(/\/+$/, '')
  return [...new Set([handle, encodeURIComponent(handle)])].map(
    (one) => `/${exactly(plainText(one).replace(/^.*\//, ''))}(?![[:alnum:]-])`,
  )
}

const emailPatterns = (email: string): string[] =>
  email === '' ? [] : [`(?<![[:alnum:]._%+-])${exactly(plainText(email))}(?![[:alnum:]])`]
