import { type Random, randomFrom } from './random.ts'

// When things happen, and to what: the skew of a world, without its words.

/** One note: its time, its author by index, the kind of its record, and the index of that record. */
type PlannedNote = { at: number; author: number; isOnFounder: boolean; place: number }

/** The times of the records in order, and the number of notes on each with the time and author of the newest one, by index. */
type PlannedRecords = { times: Float64Array; notes: Uint32Array; newest: Float64Array; authors: Uint32Array }

export type Plan = {
  founders: PlannedRecords
  companies: PlannedRecords
  /** Returns the same ones on each call. */
  notes: () => Iterable<PlannedNote>
}

type Numbers = { founders: number; companies: number; notes: number; fellows: number }

export function planWorld(numbers: Numbers, until: Date): Plan {
  const plan = (what: 'founders' | 'companies' | 'notes') => ({
    times: Float64Array.from(arrivals(numbers[what], until, randomFrom(`times of ${what}`))),
    notes: new Uint32Array(numbers[what]),
    newest: new Float64Array(numbers[what]),
    authors: new Uint32Array(numbers[what]),
  })
  const founders = plan('founders')
  const companies = plan('companies')
  const { times } = plan('notes')
  const notes = () =>
    planNotes(times, { founders: founders.times, companies: companies.times, fellows: numbers.fellows })
  for (const { at, author, isOnFounder, place } of notes()) {
    const { notes, newest, authors } = isOnFounder ? founders : companies
    notes[place] = (notes[place] as number) + 1
    if (at >= (newest[place] as number)) [newest[place], authors[place]] = [at, author]
  }
  return { founders, companies, notes }
}

const MINUTE = 60_000

type Around = { founders: Float64Array; companies: Float64Array; fellows: number }

function* planNotes(times: Float64Array, { founders, companies, fellows }: Around): Iterable<PlannedNote> {
  const random = randomFrom('what notes are about')
  const authors = randomFrom('authors of notes')
  const chooseFounder = chooser(founders, random)
  const chooseCompany = chooser(companies, random)
  for (const at of times) {
    const isOnFounder = random.below(founders.length + companies.length) < founders.length
    const place = isOnFounder ? chooseFounder(at) : chooseCompany(at)
    const since = (isOnFounder ? founders : companies)[place] as number
    yield { at: Math.max(at, since + MINUTE), author: neighbour(authors.zipf(fellows), fellows), isOnFounder, place }
  }
}

/** The fellows who write most notes differ from those who add most records. */
const neighbour = (place: number, end: number) => Math.min(place ^ 1, end - 1)

/** The share of notes that go where an earlier one went; the rest go anywhere. */
const FOLLOWING = 0.6
/** Start values, so that the very first record does not get most of the early notes. */
const FIRST = 100

/**
 * Returns for a time the record that a note of that time is about, by its index among records created at `times`. Call
 * it with times in order. Many notes follow earlier ones: few records have most of the notes, and most have none or
 * one.
 */
function chooser(times: Float64Array, random: Random): (at: number) => number {
  const chosen: number[] = []
  let there = Math.min(FIRST, times.length)
  return (at) => {
    while (there < times.length && (times[there] as number) < at) there++
    const place = chosen.length > 0 && random.chance(FOLLOWING) ? random.one(chosen) : random.below(there)
    chosen.push(place)
    return place
  }
}

const DAY = 86_400_000
const HOUR = 3_600_000
const DAYS = 3 * 365
/** Starting with Sunday. */
const WEEK = [0.2, 1, 1.1, 1.1, 1, 0.9, 0.25]

/**
 * The given number of times, in order, over the three years before the day of `until`: more of them recent, more on
 * weekdays than on weekends, and none at night.
 */
function* arrivals(count: number, until: Date, random: Random): Iterable<number> {
  const end = Math.floor(until.getTime() / DAY) * DAY
  const days = Array.from({ length: DAYS }, (_, index) => {
    const start = end - (DAYS - index) * DAY
    return { start, weight: (0.3 + (index / DAYS) ** 1.5) * (WEEK[new Date(start).getUTCDay()] as number) }
  })
  const total = days.reduce((sum, { weight }) => sum + weight, 0)
  let made = 0
  let passed = 0
  for (const { start, weight } of days) {
    const first = made
    passed += weight
    const next = Math.round((count * passed) / total)
    for (; made < next; made++) {
      const share = (made - first + random.next()) / (next - first)
      yield Math.floor(start + (7 + share * 14) * HOUR)
    }
  }
}
