import { PAGE_MAX } from '#contract/limits.ts'
import type { Caller } from './caller.ts'

/** Search terms of each kind. */
export type Terms = Record<(typeof KINDS)[number], string[]>
const KINDS = [
  'common',
  'middling',
  'rare',
  'two letters',
  'two rare letters',
  'missing',
  'many words',
  'missing words',
] as const

const EACH = 12
const SAMPLES = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Enough matches to fill a page, and few more: otherwise growth would show the number of matches, not the cost of one.
 */
const PAGE = 50
const FEW_PAGES = PAGE_MAX - 1

/** Finds terms of every kind in the database by asking the product how often they occur. */
export async function findTerms({ page }: Caller): Promise<Terms> {
  const texts = await sampleTexts(page)
  const words = texts.flatMap((text) => [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])])
  const seen = new Map<string, number>()
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1)
  const byShare = (least: number, most: number) =>
    [...seen].filter(([, count]) => count >= least * texts.length && count <= most * texts.length).map(([word]) => word)

  // A search returns an exact count only for matches that fit its page, and `N+` for more.
  const countOf = async (term: string, upTo: number) => Number.parseInt((await page(listOf(term, upTo))).total, 10)
  const pick = async (candidates: string[], least: number, most: number) => {
    const picked: string[] = []
    for (const term of spread(candidates, 60)) {
      const count = await countOf(term, Math.min(most + 1, PAGE_MAX))
      if (count >= least && count <= most) picked.push(term)
      if (picked.length === EACH) break
    }
    return picked.length > 0 ? picked : candidates.slice(0, EACH)
  }
  const pairs = [...ALPHABET].flatMap((one) => [...ALPHABET].map((other) => one + other))
  const phrases = spread(texts, 200).map((text) => text.split(/\s+/).slice(2, 7).join(' '))
  const many = await pick([...new Set(phrases)], PAGE, FEW_PAGES)
  return {
    common: byShare(0.05, 1).slice(0, EACH),
    middling: await pick(byShare(0.002, 0.02), 200, Infinity),
    rare: await pick(
      [...seen].filter(([, count]) => count === 1).map(([word]) => word),
      1,
      20,
    ),
    'two letters': spread(
      pairs.filter((pair) => texts.filter((text) => text.includes(pair)).length > texts.length / 5),
      EACH,
    ),
    'two rare letters': await pick(
      pairs.filter((pair) => /[jqxzvkw]{2}/.test(pair)),
      PAGE,
      FEW_PAGES,
    ),
    missing: Array.from({ length: EACH }, (_, index) => `zqxj${ALPHABET[index]}kvw`),
    'many words': many,
    'missing words': many.map((phrase) => phrase.split(' ').reverse().join(' ')),
  }
}

const listOf = (term: string, limit: number) => `/api/founders?limit=${limit}&search=${encodeURIComponent(term)}`

/** Texts of records from all over the list. */
async function sampleTexts(page: Caller['page']): Promise<string[]> {
  const texts: string[] = []
  let path: string | undefined = '/api/founders?limit=200'
  for (let count = 0; path !== undefined && count < SAMPLES; count += 1) {
    const answer = await page(path)
    texts.push(...answer.rows.map(({ name, notes }) => `${name} ${notes}`))
    path = answer.next
  }
  return texts
}

/** `count` items spread evenly over a list. */
export const spread = <Item>(items: Item[], count: number): Item[] =>
  items.length <= count
    ? items
    : Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as Item)
