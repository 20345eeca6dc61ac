import { isSameFirstName } from './nicknames.ts'

// How alike two names are, from 0 (different) to 1 (equal). Words come from `name_words` in the migrations: folded,
// without accents, in Latin letters.

/** Names at least this alike are suggested as the same. */
export const ALIKE = 0.8

/** At least one word of two names of people is this alike. */
const SURE = 0.85

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

/** How alike two words are: equal, or with few mistakes for their length. */
function wordLikeness(one: string, other: string): number {
  if (one === other) return 1
  const length = Math.max(one.length, other.length)
  if (length < 4) return 0
  const steps = distance(one, other, length < 8 ? 1 : 2)
  return steps === undefined ? 0 : 1 - steps / length
}

function personWordLikeness(one: string, other: string): number {
  if (one === other) return 1
  if (one.length === 1 || other.length === 1) return one[0] === other[0] ? 0.8 : 0
  return isSameFirstName(one, other) ? 0.95 : wordLikeness(one, other)
}

/** Pairs each word of the shorter list with the word of the longer one that is most like it. */
function pairWords(one: string[], other: string[], likeness: (one: string, other: string) => number): number[] {
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

export type NameParts = { words: string[]; keys: string[] }

/** Names of people, in any order of their words. Each further word of one name, such as a middle name, costs a little. */
export function personLikeness({ words: one }: NameParts, { words: other }: NameParts): number {
  const likes = pairWords(one, other, personWordLikeness)
  if (likes.length === 0 || likes.includes(0) || Math.max(...likes) < SURE) return 0
  // One word alone says too little about a name of several.
  if (likes.length === 1 && one.length !== other.length) return 0
  const mean = likes.reduce((sum, like) => sum + like, 0) / likes.length
  return mean - 0.07 * Math.abs(one.length - other.length)
}

/** Names of companies: equal in their distinctive words, which are keys, and not contrary in the common ones. */
export function companyLikeness(one: NameParts, other: NameParts): number {
  if (one.words.join('') === other.words.join('')) return one.words.length > 0 ? 1 : 0
  const split = ({ words, keys }: NameParts) => {
    const isDistinctive = (word: string) => keys.includes(word)
    return { distinctive: words.filter(isDistinctive), common: words.filter((word) => !isDistinctive(word)) }
  }
  const [a, b] = [split(one), split(other)]
  const likes = pairWords(a.distinctive, b.distinctive, wordLikeness)
  if (likes.length === 0 || a.distinctive.length !== b.distinctive.length || likes.includes(0)) return 0
  const mean = likes.reduce((sum, like) => sum + like, 0) / likes.length
  if (a.common.length === 0 || b.common.length === 0) return mean - 0.1
  return a.common.some((word) => b.common.includes(word)) ? mean - 0.05 : 0
}
