import { RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import { count, emailAddress, year } from '#server/enrichment/findings.ts'

// Reads the text of single cells as people write them. Each function returns undefined for a text that it cannot read.

const NOTHING = new Set([
  ...['n/a', 'n.a.', 'n.a', '#n/a', 'none', 'null', 'nil', 'nan', 'undefined', 'unknown', 'tbd', 'tba', 'empty'],
  ...['k.a.', 'k. a.', 'keine', 'unbekannt', 'n/d', 'n.d.', 'aucun', 'aucune', 'inconnu', 'ninguno', 'ninguna'],
  ...['desconocido', 'not available', 'not applicable', 'not rated', 'not set', '(blank)', '(empty)', '(none)'],
])

/** True for a text without a letter or digit that says something, such as `-` or `n/a`: the cell is empty. */
export const marksEmptiness = (text: string): boolean => NOTHING.has(text.toLowerCase()) || isOnlySigns(text)

/** True for a text of signs alone, such as `-` or `?`. Stars are a rating. */
export const isOnlySigns = (text: string): boolean => /^[\p{P}\p{Z}\s|~^=+<>]+$/u.test(text)

/** The highest rating of a column, from its name: 5 for `Score (1-5)`. */
export function scaleOf(header: string): number {
  const [, range] = /\b[01]\s*(?:-|–|—|to|bis|à|a)\s*(5|10|100)\b/i.exec(header) ?? []
  const [, of] = /(?:\bout of|\bof|\/|\bvon|\bsur|\bde)\s*(5|10|100)\b/i.exec(header) ?? []
  return Number(range ?? of ?? RATING_MAX)
}

/**
 * A rating from 1 to 10, of `8`, `8,0`, `7/10`, `4 of 5`, `70 %` or stars. Stars are out of five, unless there are more.
 * A rating between two whole ones cannot be read: rounding it would be a guess.
 */
export function ratingOf(text: string, scale = RATING_MAX): number | undefined {
  const written = text.replace(/[\ufe0f\s]+/g, ' ').trim()
  const stars = /^(?:[★⭐🌟✭✪*]|[☆✩]| )+$/u.test(written) ? starsOf(written) : undefined
  if (stars !== undefined) return whole(stars)
  const parts =
    /^(\d{1,3})(?:[.,](\d{1,2}))?\s*(?:(?:\/|of|out of|von|sur|de|\|)\s*(\d{1,3})|(%|percent|prozent))?$/i.exec(written)
  if (parts === null) return undefined
  const [, units, fraction = '0', of, percent] = parts
  const given = Number(`${units}.${fraction}`)
  const best = percent !== undefined ? 100 : of === undefined ? scale : Number(of)
  return [5, RATING_MAX, 100].includes(best) ? whole((given * RATING_MAX) / best) : undefined
}

function starsOf(text: string): number {
  const filled = [...text].filter((sign) => /[★⭐🌟✭✪*]/u.test(sign)).length
  const all = [...text].filter((sign) => sign !== ' ').length
  return all <= 5 ? filled * 2 : all <= RATING_MAX ? filled : 0
}

function whole(rating: number): number | undefined {
  const rounded = Math.round(rating * 1000) / 1000
  return Number.isInteger(rounded) && rounded >= RATING_MIN && rounded <= RATING_MAX ? rounded : undefined
}

/** The year in a date or a sentence, if it has only one. */
export function yearOf(text: string): number | undefined {
  const years = new Set(text.match(/(?<![\d.,])[12]\d{3}(?![\d]|[.,]\d{3})/g) ?? [])
  return years.size === 1 ? year(Number([...years][0])) : undefined
}

/** A number of employees or a range. A point between groups of three digits separates thousands. */
export const employeesOf = (text: string): number | string | undefined =>
  count(
    text
      .replace(/^(\d+)\.0{1,2}$/, '$1')
      .replace(/(?<=\d)\.(?=\d{3}(?!\d))/g, '')
      .replace(/\s+(employees|mitarbeiter|salariés|empleados)$/i, ''),
  )

/** The first of several addresses, which exports separate by commas, semicolons or spaces. */
export const firstAddress = (text: string): string =>
  text.split(/^https?:/i.test(text) ? /[,;]?\s+/ : /[,;\s]+/, 1)[0] ?? text

/** The first email address of a text such as `Ada <ada@mit.edu>; other@mit.edu`. */
export function emailOf(text: string): string | undefined {
  const [, inBrackets] = /<([^<>\s]+@[^<>\s]+)>/.exec(text) ?? []
  return emailAddress(inBrackets ?? text.split(/[,;\s]+/, 1)[0])
}
