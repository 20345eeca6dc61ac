import { v7 as uuidv7 } from 'uuid'
import type { CompanyEnrichment, CompanyInput } from '#contract/company.ts'
import type { FounderEnrichment, FounderInput } from '#contract/founder.ts'
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import { companyKnown, founderKnown } from './known.ts'
import { noteText } from './note-text.ts'
import { latinName, linkedInOf, person, slug } from './people.ts'
import { type Plan, planWorld } from './plan.ts'
import { type Random, randomFrom } from './random.ts'
import { DESCRIPTIONS } from './sentences.ts'
import { FELLOWS } from './small-world.ts'
import { companyName, freshName } from './words.ts'

// A world of any size for measurements, as skewed as real use. It is generated row by row, in order of time, and the
// same numbers produce the same world.

export type WorldSize = { founders: number; companies: number; notes: number; fellows: number }

export type Fellow = { name: string; email: string }

type Made = { id: string; createdAt: Date }
/** A fellow, by index; or a name or address from an import. */
type Creator = number | string

type Sourced = Made & {
  creator: Creator
  /** Fellows who found it after its creator, by index. */
  finders: number[]
  /** False for an imported record without a rating. */
  isRated: boolean
  notesCount: number
  /** The time of the newest note; 1970 without one. */
  lastNoteAt: Date
  /** Its author, by index. */
  lastNoteBy: number | undefined
}

export type LargeFounder = FounderInput & Sourced & { known: FounderEnrichment | undefined }
export type LargeCompany = CompanyInput & Sourced & { known: CompanyEnrichment | undefined }
/** A note by a fellow on a founder or a company, each by index. */
export type LargeNote = Made & { content: string; author: number; founder?: number; company?: number }

/** The world as it was on the eve of `until`. */
export function largeWorld(size: WorldSize, until: Date) {
  const fellows = makeFellows(size.fellows)
  const plan = planWorld(size, until)
  return {
    fellows,
    founders: makeFounders(plan, fellows),
    companies: makeCompanies(plan, fellows),
    notes: makeNotes(plan),
  }
}

const UNIVERSITIES = ['stanford', 'mit', 'berkeley', 'cmu', 'harvard', 'cornell', 'gatech', 'uw', 'umich', 'nyu']

function makeFellows(count: number): Fellow[] {
  const random = randomFrom('fellows')
  return Array.from({ length: count }, (_, place) => {
    const name = latinName(random)
    const email = `${slug(name).replaceAll('-', '.')}.${place}@${random.one(UNIVERSITIES)}.edu`
    return place === 0 ? { name: FELLOWS[0][0], email: FELLOWS[0][1] } : { name, email }
  })
}

function* makeFounders({ founders }: Plan, fellows: Fellow[]): Iterable<LargeFounder> {
  const random = randomFrom('founders')
  const sourced = sourcing(founders, fellows, 'founders')
  for (const [place, at] of founders.times.entries()) {
    const { name, isLatin } = person(random)
    yield {
      ...made(at, random),
      name,
      linkedIn: linkedInOf({ name, isLatin }, random),
      notes: noteText(random),
      rating: rating(random),
      ...sourced(place, creator(fellows, random)),
      known: random.chance(ENRICHED) ? founderKnown(random) : undefined,
    }
  }
}

function* makeCompanies({ companies }: Plan, fellows: Fellow[]): Iterable<LargeCompany> {
  const random = randomFrom('companies')
  const sourced = sourcing(companies, fellows, 'companies')
  for (const [place, at] of companies.times.entries()) {
    const product = freshName(random)
    yield {
      ...made(at, random),
      name: companyName(product, random),
      website: random.chance(0.85) ? websiteOf(product, random) : '',
      description: random.chance(0.6) ? random.one(DESCRIPTIONS)(random) : '',
      notes: noteText(random),
      rating: rating(random),
      ...sourced(place, creator(fellows, random)),
      known: random.chance(ENRICHED) ? companyKnown(random) : undefined,
    }
  }
}

const UNRATED = 0.05
const FOUND_AGAIN = 0.04

/** Returns for a record, by index, its creator and what fellows and imports did to it. */
function sourcing({ notes, newest, authors }: Plan['founders'], fellows: Fellow[], what: string) {
  const random = randomFrom(`finders of ${what}`)
  return (place: number, creator: Creator): Omit<Sourced, keyof Made> => {
    const others = random.chance(FOUND_AGAIN) ? [random.zipf(fellows.length), random.below(fellows.length)] : []
    return {
      creator,
      finders: [...new Set(others)].filter((other) => other !== creator),
      isRated: !random.chance(UNRATED),
      notesCount: notes[place] as number,
      lastNoteAt: new Date(newest[place] as number),
      lastNoteBy: notes[place] === 0 ? undefined : authors[place],
    }
  }
}

function* makeNotes(plan: Plan): Iterable<LargeNote> {
  const random = randomFrom('notes')
  for (const { at, author, isOnFounder, place } of plan.notes()) {
    yield {
      ...made(at, random),
      content: noteText(random),
      author,
      ...(isOnFounder ? { founder: place } : { company: place }),
    }
  }
}

const made = (at: number, random: Random): Made => ({
  id: uuidv7({ msecs: at, random: random.bytes() }),
  createdAt: new Date(at),
})

const ENRICHED = 0.7
const IMPORTED = 0.002

function creator(fellows: Fellow[], random: Random): Creator {
  if (!random.chance(IMPORTED)) return random.zipf(fellows.length)
  const { name, email } = fellows[random.zipf(fellows.length)] as Fellow
  return random.one([name, email, email.replace('@', '.old@')])
}

const MIDDLE_RATING = 6
const rating = (random: Random) =>
  Math.min(RATING_MAX, Math.max(RATING_MIN, Math.round(MIDDLE_RATING + 6 * random.bell())))

/** Under `.example`, which cannot be registered. */
function websiteOf(product: string, random: Random): string {
  const host = random.one(['', '', 'www.', 'www.', 'app.']) + random.one(['', '', 'get', 'try']) + product.toLowerCase()
  return `${random.one(['https', 'https', 'http'])}://${host}.example${random.one(['', '', '/', '/en', '/?ref=deck'])}`
}
