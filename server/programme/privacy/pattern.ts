import { and, or, type SQL, sql } from 'drizzle-orm'
import { fold } from '#contract/fold.ts'
import type { PersonSearch } from '#contract/privacy.ts'
import { linkedInPerson } from '#server/names/keys.ts'

// A person as a regular expression of PostgreSQL, for the text of `person_text`. Each letter that is not ASCII is written in
// both cases, so that the locale of the database plays no part.

/** In a shorter word, another letter makes another word. */
const TYPO_FROM = 5
/** More words are compared in their own order and the reverse. */
const PERMUTED_MAX = 3
const SEPARATOR = '[[:space:][:punct:]·•、。・]{1,3}'
/** Between two words of a name there may be a middle name. */
const BETWEEN = `${SEPARATOR}([^[:space:]]{1,20}${SEPARATOR})?`

/** Letters that have no accent to take off, and the letter that people write instead. As in `person_text`. */
const PLAIN: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i' }

export const plainText = (text: string): string =>
  fold(text)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[øłđðı]/g, (letter) => PLAIN[letter] ?? letter)

export const wordsOf = (name: string): string[] =>
  plainText(name)
    .split(/[\s,.;:!?()"'_/\\·•、。・-]+/u)
    .filter(Boolean)

/** The expression of a person. Empty where nothing can be searched. */
export function personPattern({ names, linkedIn = '', email = '' }: PersonSearch): string {
  const alternatives = [...names.flatMap(namePatterns), ...linkedInPatterns(linkedIn), ...emailPatterns(email)]
  return [...new Set(alternatives)].join('|')
}

/** Whether a text may match the expression: a condition that costs a small part of it, and that few texts meet. */
export const mayMention = ({ names, linkedIn, email }: PersonSearch, text: SQL): SQL =>
  or(
    ...names.map(wordsOf).flatMap((words) => (words.length > 0 ? [hasWords(words, text)] : [])),
    ...(linkedIn ? handlesIn(linkedIn).map((handle) => has(handle, text)) : []),
    ...(email ? [has(plainText(email), text)] : []),
  ) as SQL

/** Only one word has a mistake: of two that may have one, one is whole; of a single one, a half. */
function hasWords(words: string[], text: SQL): SQL {
  const whole = words.filter((word) => word.length < TYPO_FROM)
  const mistakable = words.filter((word) => word.length >= TYPO_FROM).sort((a, b) => b.length - a.length)
  const some = mistakable.length === 1 ? halvesOf(mistakable[0] as string) : mistakable.slice(0, 2)
  return and(...whole.map((word) => has(word, text)), or(...some.map((part) => has(part, text)))) as SQL
}

/** A mistake is in one half, or swaps the letters between them. */
function halvesOf(word: string): string[] {
  const letters = [...word]
  const half = Math.floor(letters.length / 2)
  const swapped = letters.with(half - 1, letters[half] as string).with(half, letters[half - 1] as string)
  return [letters.slice(0, half), letters.slice(half), swapped].map((part) => part.join(''))
}

/** A text without other letters than ASCII has no part with one. */
const has = (part: string, text: SQL): SQL =>
  /^[\0-\x7f]*$/.test(part)
    ? sql`strpos(${text} collate "C", ${part}) > 0`
    : sql`octet_length(${text}) > length(${text})`

function namePatterns(name: string): string[] {
  const words = wordsOf(name)
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
    const upper = letter.toUpperCase()
    const hasCases = !/[\0-\x7f]/.test(letter) && upper !== letter && [...upper].length === 1
    return hasCases ? `[${letter}${upper}]` : letter.replace(/[^\p{L}\p{N}]/u, '\\$&')
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

function handlesIn(address: string): string[] {
  const handle = linkedInPerson(address) ?? address.replace(/^[a-z]+:\/\/(www\.)?/i, '').replace(/\/+$/, '')
  return [...new Set([handle, encodeURIComponent(handle)])].map((one) => plainText(one).replace(/^.*\//, ''))
}

const linkedInPatterns = (address: string): string[] =>
  address === '' ? [] : handlesIn(address).map((handle) => `/${exactly(handle)}(?![[:alnum:]-])`)

const emailPatterns = (email: string): string[] =>
  email === '' ? [] : [`(?<![[:alnum:]._%+-])${exactly(plainText(email))}(?![[:alnum:]])`]
