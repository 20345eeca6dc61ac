import type { Random } from './random.ts'
import { ASIDES, ENDINGS, FOREIGN, MIDDLES, OPENINGS } from './sentences.ts'

const SHORTEST = 60
const LONGEST = 400

/** The text of a note: a few sentences of 60 to 400 characters together, about 160 on average. */
export function noteText(random: Random): string {
  const enough = SHORTEST + (LONGEST - SHORTEST) * random.next() ** 4
  let text = random.one(OPENINGS)(random)
  if (random.chance(0.06)) text += ` ${random.one(FOREIGN)(random)}`
  if (random.chance(0.05)) text += ` ${random.one(ASIDES)}`
  while (text.length < enough) {
    const next = random.one(random.chance(0.3) ? ENDINGS : MIDDLES)(random)
    if (text.length + 1 + next.length > LONGEST) return text
    text += (random.chance(0.08) ? '\n' : ' ') + next
  }
  return text
}
