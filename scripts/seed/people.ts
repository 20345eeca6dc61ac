import { CULTURES, type Culture } from './names.ts'
import type { Random } from './random.ts'
import { coinedName } from './words.ts'

/** Each culture as often as its share. */
const DRAWN = CULTURES.flatMap((culture) => Array<Culture>(culture.share * 2).fill(culture))
const DRAWN_IN_LATIN = DRAWN.filter(({ script }) => script === 'Latin')

export type Person = { name: string; isLatin: boolean }

export function person(random: Random): Person {
  const culture = random.one(DRAWN)
  return { name: nameFrom(culture, random), isLatin: culture.script === 'Latin' }
}

export const latinName = (random: Random): string => nameFrom(random.one(DRAWN_IN_LATIN), random)

function nameFrom({ script, given, family, write }: Culture, random: Random): string {
  const first = random.one(given)
  const last = random.one(family)
  if (script !== 'Latin') return write(first, last)
  const kind = random.next()
  if (kind < 0.8) return write(first, last)
  // Rare family names.
  if (kind < 0.92) return write(first, coinedName(random))
  if (kind < 0.96) return write(`${first} ${String.fromCharCode(65 + random.below(26))}.`, last)
  return write(first, `${last}-${random.one(family)}`)
}

/** Names as they appear in addresses. */
export const slug = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z -]/g, '')
    .replaceAll(' ', '-')

const HOSTS = ['www.linkedin.com', 'www.linkedin.com', 'www.linkedin.com', 'linkedin.com', 'de.linkedin.com']

/** The address of a person's profile, in one of the spellings that people paste. */
export function linkedInOf({ name, isLatin }: Person, random: Random): string {
  const number = random.below(36 ** 5).toString(36)
  return `https://${random.one(HOSTS)}/in/${handle(name, isLatin, random)}-${number}${random.one(['', '', '', '/'])}`
}

/** People with names in another script have a handle in that script, or in ours. */
function handle(name: string, isLatin: boolean, random: Random): string {
  if (isLatin) return slug(name)
  if (random.chance(0.6)) return slug(coinedName(random))
  return encodeURIComponent(name.replaceAll(/\p{C}/gu, '').replaceAll(' ', '-'))
}
