import { isFirstName, isSameFirstName } from './nicknames.ts'

// How alike two names are, from 0 (different) to 1 (equal). Words come from `name_words` in the migrations: folded,
// without accents, in Latin letters. Each has its sound from `name_sounds`, which is the same in many spellings.

/** Names with at least this likeness are suggested as the same. */
export const ALIKE = 0.8

/** At least one pair of words of two names of people has this likeness. */
const SURE = 0.85

type Word = { word: string; sound: string }

/** A name: its words, the sound of each word, and the words that few names have if its kind compares them. */
export type NameParts = { words: string[]; sounds: string[]; distinctive: string[] }

/** The number of letters to add, drop, replace or swap to turn one word into the other, when that is at most `max`. */
export function distance(one: string, other: string, max: number): number | undefined {
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
  if (`${one.word}a` === other.word) return isSurname(one.word, other.word) ? 0.9 : 0
  if (`${other.word}a` === one.word) return isSurname(other.word, one.word) ? 0.9 : 0
  return wordLikeness(one, other)
}

/** The endings of surnames whose female form has an *a* more. */
const SURNAME = /..(ov|ev|in|yn|sk)$/

/** Whether two words are a surname and its female form, which many write without the *a* abroad: Petrov, Petrova. */
const isSurname = (male: string, female: string) => SURNAME.test(male) && !isFirstName(male) && !isFirstName(female)

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

/** Likeness of names of companies: by their distinctive words, without a conflict in common words. */
export function companyLikeness(one: NameParts, other: NameParts): number {
  if (one.words.join('') === other.words.join('')) return one.words.length > 0 ? 1 : 0
  const [a, b] = [splitCompany(one), splitCompany(other)]
  if (isFirstWordAlone(a, b) || isFirstWordAlone(b, a)) return 0.82
  const like = distinctiveLikeness(a.distinctive, b.distinctive)
  if (like === 0) return allWordsLikeness(a, b)
  if (a.common.length === 0 && b.common.length === 0) return like - 0.05
  if (a.common.length === 0 || b.common.length === 0) return like - 0.1
  return a.common.some(({ word }) => b.common.some((match) => isShortened(word, match.word))) ? like - 0.05 : 0
}

type CompanyWords = { words: Word[]; distinctive: Word[]; common: Word[] }

function splitCompany(name: NameParts): CompanyWords {
  const isDistinctive = ({ word }: Word) => name.distinctive.includes(word)
  const words = wordsOf(name)
  return { words, distinctive: words.filter(isDistinctive), common: words.filter((word) => !isDistinctive(word)) }
}

/** Whether the words are equal, or one is the beginning of the other, like Bio and Biotech. */
const isShortened = (one: string, other: string) =>
  one === other || (Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one)))

/** A shorter word begins the names of too many companies. */
const ALONE_FROM = 6

/** Whether a name is the first distinctive word of another one with one more: Bramble for Bramble Foods. */
function isFirstWordAlone({ words, distinctive: [alone] }: CompanyWords, other: CompanyWords): boolean {
  if (alone === undefined || words.length > 1 || alone.word.length < ALONE_FROM) return false
  return other.distinctive.length === 2 && other.words[0]?.word === alone.word
}

function distinctiveLikeness(one: Word[], other: Word[]): number {
  if (one.length === 0 || other.length === 0) return 0
  if (one.map(({ word }) => word).join('') === other.map(({ word }) => word).join('')) return 1
  const likes = pairWords(one, other, companyWordLikeness)
  return one.length !== other.length || likes.includes(0) ? 0 : meanOf(likes)
}

/** In a shorter distinctive word, another letter makes another company; another first letter in a little longer one. */
const TYPO_FROM = 6
const FIRST_LETTER_FROM = 7

/** The likeness of two distinctive words, by their letters: names that only sound alike are two companies. */
function companyWordLikeness({ word: one, sound }: Word, { word: other, sound: otherSound }: Word): number {
  if (one === other) return 1
  const length = Math.max(one.length, other.length)
  const steps = length < MISTAKES_FROM ? undefined : distance(one, other, length < 8 ? 1 : 2)
  if (steps === undefined) return 0
  // A doubled letter or a spelled-out umlaut.
  if (sound === otherSound && one.length !== other.length) return 0.95
  if (length < (one[0] === other[0] ? TYPO_FROM : FIRST_LETTER_FROM)) return 0
  // Too little for a name with a common word less.
  return steps === 1 ? 0.88 : 1 - steps / length
}

/** A typo makes a common word distinctive, so all words have to be similar, and one of them equal. */
function allWordsLikeness(one: CompanyWords, other: CompanyWords): number {
  const isEqual = one.distinctive.some(({ word }) => other.distinctive.some((match) => match.word === word))
  if (!isEqual || one.words.length !== other.words.length) return 0
  const likes = pairWords(one.words, other.words, companyWordLikeness)
  return likes.includes(0) ? 0 : meanOf(likes)
}
