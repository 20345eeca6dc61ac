import { isFirstName, isSameFirstName } from './nicknames.ts'

// How alike two names are, from 0 (different) to 1 (equal). Words come from `name_words` in the migrations: folded,
// without accents, in Latin letters. Each has its sound from `name_sounds`, which is the same in many spellings.

/** Names with at least this likeness are suggested as the same. */
export const ALIKE = 0.8

/** At least one pair of words of two names of people has this likeness. */
const SURE = 0.85

type Word = { word: string; sound: string }

/** A name: its words, the sound of each word, and its index keys if its kind compares them. */
export type NameParts = { words: string[]; sounds: string[]; keys: string[] }

/** The number of letters to add, drop, replace or swap to turn one word into the other, when that is at most `max`. */
function distance(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      let steps = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (isSame ? 0 : 1))
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) {
        steps = Math.min(steps, (before[to - 2] ?? 0) + 1)
      }
      row.push(steps)
    }
    before = last
    last = row
  }
  const steps = last[other.length] ?? 0
  return steps <= max ? steps : undefined
}

/** In shorter words, one different letter makes another word. */
const MISTAKES_FROM = 4

/** The likeness of two words: equal, with the same sound, or with few mistakes for their length. */
function wordLikeness(one: Word, other: Word): number {
  if (one.word === other.word) return 1
  if (Math.min(one.word.length, other.word.length) < MISTAKES_FROM) return 0
  if (one.sound === other.sound) return 0.95
  return Math.max(spellingLikeness(one.word, other.word), spellingLikeness(one.sound, other.sound))
}

function spellingLikeness(one: string, other: string): number {
  if (Math.min(one.length, other.length) < MISTAKES_FROM) return 0
  const length = Math.max(one.length, other.length)
  const steps = distance(one, other, length < 8 ? 1 : 2)
  return steps === undefined ? 0 : 1 - steps / length
}

function personWordLikeness(one: Word, other: Word): number {
  if (one.word === other.word) return 1
  if (one.word.length === 1 || other.word.length === 1) return one.word[0] === other.word[0] ? 0.8 : 0
  if (isSameFirstName(one.word, other.word)) return 0.95
  // Two names of which one may be the female form of the other.
  if (isFirstName(one.word) && isFirstName(other.word)) return 0
  if (`${one.word}a` === other.word || `${other.word}a` === one.word) return 0
  return wordLikeness(one, other)
}

/** Pairs each word of the shorter list with the most similar word of the longer one. */
function pairWords(one: Word[], other: Word[], likeness: (one: Word, other: Word) => number): number[] {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  const pairs = shorter
    .flatMap((word, at) => longer.map((match, to) => ({ at, to, like: likeness(word, match) })))
    .sort((a, b) => b.like - a.like)
  const [used, taken] = [new Set<number>(), new Set<number>()]
  const likes: number[] = []
  for (const { at, to, like } of pairs) {
    if (used.has(at) || taken.has(to)) continue
    used.add(at)
    taken.add(to)
    likes.push(like)
  }
  return likes
}

const wordsOf = ({ words, sounds }: NameParts): Word[] => words.map((word, at) => ({ word, sound: sounds[at] ?? word }))

const RUN_MAX = 4

/** Joins neighbouring words or initials that the other name writes as one word: Anne Marie, De Luca, J. P. */
function joined(words: Word[], other: Word[]): Word[] {
  for (const { word } of other) {
    for (let from = 0; from < words.length - 1; from += 1) {
      for (let to = from + 2; to <= Math.min(words.length, from + RUN_MAX); to += 1) {
        const run = words.slice(from, to)
        const whole = run.map((part) => part.word).join('')
        const initials = run.length < words.length ? run.map((part) => part.word[0]).join('') : ''
        if (word !== whole && word !== initials) continue
        return joined([...words.slice(0, from), { word, sound: word }, ...words.slice(to)], other)
      }
    }
  }
  return words
}

/** Words between names that people often leave out. */
const PARTICLES = new Set('al af av bin da de del della den der di do dos du e el ibn la le van von y zu'.split(' '))
const countNames = (words: Word[]) => words.filter(({ word }) => !PARTICLES.has(word)).length

const meanOf = (likes: number[]) => likes.reduce((sum, like) => sum + like, 0) / likes.length

/** Likeness of names of people, in any order of words. Each extra word, such as a middle name, costs a little. */
export function personLikeness(a: NameParts, b: NameParts): number {
  const one = joined(wordsOf(a), wordsOf(b))
  const other = joined(wordsOf(b), one)
  const likes = pairWords(one, other, personWordLikeness)
  if (likes.length === 0 || likes.includes(0) || Math.max(...likes) < SURE) return 0
  // One word is not enough to match a name of several.
  if (likes.length === 1 && one.length !== other.length) return 0
  return meanOf(likes) - 0.07 * Math.abs(countNames(one) - countNames(other))
}

/** Likeness of names of companies: by their distinctive words, which are keys, without a conflict in common words. */
export function companyLikeness(one: NameParts, other: NameParts): number {
  if (one.words.join('') === other.words.join('')) return one.words.length > 0 ? 1 : 0
  const split = (name: NameParts) => {
    const isDistinctive = ({ sound }: Word) => name.keys.includes(sound)
    const words = wordsOf(name)
    return { words, distinctive: words.filter(isDistinctive), common: words.filter((word) => !isDistinctive(word)) }
  }
  const [a, b] = [split(one), split(other)]
  const like = distinctiveLikeness(a.distinctive, b.distinctive)
  if (like === 0) return allWordsLikeness(a, b)
  if (a.common.length === 0 || b.common.length === 0) return like - 0.1
  return a.common.some(({ word }) => b.common.some((match) => isShortened(word, match.word))) ? like - 0.05 : 0
}

/** Whether the words are equal, or one is the beginning of the other, like Bio and Biotech. */
const isShortened = (one: string, other: string) =>
  one === other || (Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one)))

function distinctiveLikeness(one: Word[], other: Word[]): number {
  if (one.length === 0 || other.length === 0) return 0
  if (one.map(({ word }) => word).join('') === other.map(({ word }) => word).join('')) return 1
  const likes = pairWords(one, other, wordLikeness)
  return one.length !== other.length || likes.includes(0) ? 0 : meanOf(likes)
}

/** A typo makes a common word distinctive, so all words have to be similar, and one of them equal. */
function allWordsLikeness(
  one: { words: Word[]; distinctive: Word[] },
  other: { words: Word[]; distinctive: Word[] },
): number {
  const isEqual = one.distinctive.some(({ word }) => other.distinctive.some((match) => match.word === word))
  if (!isEqual || one.words.length !== other.words.length) return 0
  const likes = pairWords(one.words, other.words, wordLikeness)
  return likes.includes(0) ? 0 : meanOf(likes)
}
